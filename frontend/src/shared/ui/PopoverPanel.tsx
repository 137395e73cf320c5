import * as Radix from "@radix-ui/react-popover";
import { clsx } from "clsx";
import type { ReactNode, RefObject } from "react";
import { elementOf } from "@/shared/lib/records";
import { useEscape } from "./useEscape";

/** The open panel beside its anchor. */
export function PopoverPanel(props: {
  anchor: RefObject<HTMLElement | null>;
  label: string;
  align: "start" | "end";
  onClose: () => void;
  /** A list under a field: as wide as the field, which keeps the focus. */
  under?: boolean;
  children: ReactNode;
}) {
  const { anchor, label, align, onClose, under = false, children } = props;
  const onEscape = useEscape(onClose);
  const stay = (event: Event) => event.preventDefault();
  return (
    <Radix.Root open onOpenChange={(next) => !next && onClose()}>
      <Radix.Anchor virtualRef={anchor} />
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onEscapeKeyDown={onEscape}
          onOpenAutoFocus={under ? stay : undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // Where the focus went on to another control, it stays there.
            if (!under && document.activeElement === document.body) anchor.current?.focus();
          }}
          onInteractOutside={(event) => {
            if (anchor.current?.contains(elementOf(event.target))) event.preventDefault();
          }}
          className={clsx(
            "z-popover overflow-y-auto rounded-card border border-line bg-raised shadow-float outline-none",
            under
              ? "max-h-72 w-(--radix-popover-trigger-width) min-w-60 p-1"
              : "max-h-(--radix-popover-content-available-height) w-72 max-w-[calc(100vw-1rem)] animate-pop-in p-3",
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
