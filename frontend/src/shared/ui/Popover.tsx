import type { ReactNode } from "react";
import { lazyPart } from "./lazyPart";
import { type Trigger, useTrigger } from "./useTrigger";

export const LazyPanel = lazyPart(() => import("./PopoverPanel").then((m) => m.PopoverPanel));

/** A small panel beside its button: filters, a column chooser. */
export function Popover(props: {
  trigger: Trigger;
  /** The panel's name, for screen readers. */
  label: string;
  align?: "start" | "end";
  children: ReactNode;
}) {
  const { anchor, button, open, close } = useTrigger(props.trigger, "dialog", LazyPanel.preload);
  return (
    <>
      {button}
      {open && (
        <LazyPanel anchor={anchor} label={props.label} align={props.align ?? "end"} onClose={close}>
          {props.children}
        </LazyPanel>
      )}
    </>
  );
}
