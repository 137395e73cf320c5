import * as Radix from "@radix-ui/react-dialog";
import { type ReactNode, useState } from "react";
import { Kbd } from "./Badge";
import { useEscape } from "./useEscape";

/** A dialog without a head, for content with its own heading; `title` is read out. */
export function BareDialog(props: { title: string; onClose: () => void; children: ReactNode }) {
  const [opener] = useState(() => document.activeElement);
  const onEscape = useEscape(props.onClose);
  return (
    <Radix.Root open onOpenChange={(open) => !open && props.onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="z-dialog fixed inset-0 animate-fade-in bg-backdrop" />
        <Radix.Content
          aria-describedby={undefined}
          onEscapeKeyDown={onEscape}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const isFree = document.activeElement === document.body;
            if (isFree && opener instanceof HTMLElement) opener.focus();
          }}
          className="z-dialog fixed inset-x-0 top-0 mx-auto flex max-h-dvh w-full max-w-3xl animate-pop-in flex-col overflow-hidden border-line bg-raised shadow-float outline-none sm:top-[8vh] sm:max-h-[80vh] sm:w-[calc(100%-2rem)] sm:rounded-card sm:border"
        >
          <Radix.Title className="sr-only">{props.title}</Radix.Title>
          {props.children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Closes the dialog around it, as Escape does. */
export function CloseByEscape() {
  return (
    <Radix.Close className="rounded-control p-1 hover:bg-hover">
      <Kbd>Esc</Kbd>
      <span className="sr-only">Close</span>
    </Radix.Close>
  );
}
