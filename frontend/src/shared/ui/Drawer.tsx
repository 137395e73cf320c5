import * as Radix from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "./Button";

/** A panel at the side with more about one thing; the page behind it stays in sight. */
export function Drawer(props: {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
}) {
  const { open, onClose, title, description, children } = props;
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="z-dialog fixed inset-0 animate-fade-in bg-backdrop" />
        <Radix.Content
          {...(description ? {} : { "aria-describedby": undefined })}
          onInteractOutside={(event) => {
            const target = event.target as Element | null;
            if (target?.closest("[data-toasts]")) event.preventDefault();
          }}
          className="z-dialog fixed inset-y-0 right-0 flex w-full max-w-lg animate-slide-in flex-col border-line border-l bg-raised shadow-float outline-none"
        >
          <header className="flex items-start justify-between gap-3 border-line border-b px-4 py-3">
            <div className="min-w-0">
              <Radix.Title className="font-semibold text-base">{title}</Radix.Title>
              {description && (
                <Radix.Description asChild>
                  <div className="mt-0.5 text-muted text-sm">{description}</div>
                </Radix.Description>
              )}
            </div>
            <IconButton
              label="Close"
              icon={<X aria-hidden="true" className="size-4" />}
              size="sm"
              onClick={onClose}
            />
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-4 py-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
