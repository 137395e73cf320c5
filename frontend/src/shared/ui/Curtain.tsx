import * as Radix from "@radix-ui/react-dialog";
import type { ReactNode } from "react";

/** Covers the page and what is open over it: none of it can be seen or reached meanwhile. */
export function Curtain(props: { title: string; children: ReactNode }) {
  return (
    <Radix.Root open>
      <Radix.Portal>
        <Radix.Content
          aria-describedby={undefined}
          onEscapeKeyDown={(event) => event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
          className="z-tooltip fixed inset-0 flex flex-col overflow-y-auto bg-canvas outline-none"
        >
          <Radix.Title className="sr-only">{props.title}</Radix.Title>
          {props.children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
