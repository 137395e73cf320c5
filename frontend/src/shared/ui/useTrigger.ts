import {
  cloneElement,
  type MouseEvent,
  type ReactElement,
  type Ref,
  useRef,
  useState,
} from "react";

type TriggerProps = {
  ref?: Ref<HTMLButtonElement>;
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  onPointerEnter?: () => void;
  onFocus?: (event: never) => void;
  "aria-haspopup"?: "menu" | "dialog";
  "aria-expanded"?: boolean;
};
/** A Button or an IconButton. */
export type Trigger = ReactElement<TriggerProps>;

/**
 * Props of a button that opens something beside it. The opened part is mounted only while it is
 * open, and its code is loaded when the pointer or the focus comes near.
 */
export function useTrigger(trigger: Trigger, opens: "menu" | "dialog", preload: () => void) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const { onFocus } = trigger.props;
  const button = cloneElement(trigger, {
    ref: anchor,
    "aria-haspopup": opens,
    "aria-expanded": open,
    onPointerEnter: preload,
    onFocus: (event: never) => {
      preload();
      onFocus?.(event);
    },
    onClick: () => setOpen(!open),
  });
  return { anchor, button, open, close: () => setOpen(false) };
}
