import * as Radix from "@radix-ui/react-popover";
import type { ReactElement, ReactNode } from "react";

/** A small panel anchored to its button: filters, a column chooser. */
export function Popover(props: {
  trigger: ReactElement;
  /** What the panel is, for screen readers. */
  label: string;
  align?: "start" | "end";
  children: ReactNode;
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{props.trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={props.label}
          align={props.align ?? "end"}
          sideOffset={4}
          collisionPadding={8}
          className="z-popover max-h-(--radix-popover-content-available-height) w-72 max-w-[calc(100vw-1rem)] animate-pop-in overflow-y-auto rounded-card border border-line bg-raised p-3 shadow-float outline-none"
        >
          {props.children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
