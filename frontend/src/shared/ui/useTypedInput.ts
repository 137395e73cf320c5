import { type FocusEvent, type FormEvent, useEffect, useRef } from "react";
import { watchInput } from "@/shared/lib/heldInput";
import { useStable } from "@/shared/lib/useStable";

type Control = HTMLInputElement | HTMLTextAreaElement;

/** Where typing looks for something, and nothing is lost with it. */
const SEARCHES = "[type=search], [role=combobox]";

function isTextControl(target: EventTarget): target is Control {
  if (target instanceof HTMLTextAreaElement) return !target.readOnly;
  return (
    target instanceof HTMLInputElement &&
    /^(text|email|password|number|date|datetime-local|url|tel)$/.test(target.type) &&
    !target.readOnly &&
    !target.matches(SEARCHES)
  );
}

/**
 * Whether something was typed into what is inside: a text that differs from what it was when its
 * field was entered first. `known` says it instead. Spread `handlers` on the element around.
 */
export function useTypedInput(known?: boolean) {
  const before = useRef(new Map<Control, string>());
  const isTyped = useStable(
    () =>
      known ??
      [...before.current].some(([control, text]) => control.isConnected && control.value !== text),
  );
  useEffect(() => watchInput({ isHeld: isTyped, modal: true }), [isTyped]);
  const onFocusCapture = ({ target }: FocusEvent) => {
    if (isTextControl(target) && !before.current.has(target)) {
      before.current.set(target, target.value);
    }
  };
  const onInputCapture = ({ target }: FormEvent) => {
    if (isTextControl(target) && !before.current.has(target)) {
      before.current.set(target, target.defaultValue); // it came with the focus in it
    }
  };
  /** What is sent from a dialog that stays open is not held any more. */
  const onSubmitCapture = ({ target }: FormEvent) => {
    for (const control of before.current.keys()) {
      if ((target as Element).contains(control)) before.current.set(control, control.value);
    }
  };
  return { isTyped, handlers: { onFocusCapture, onInputCapture, onSubmitCapture } };
}
