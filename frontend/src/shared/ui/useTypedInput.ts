import { type FocusEvent, type FormEvent, useEffect, useRef } from "react";
import { watchInput } from "@/shared/lib/heldInput";
import { elementOf } from "@/shared/lib/records";
import { useStable } from "@/shared/lib/useStable";

type Control = HTMLInputElement | HTMLTextAreaElement;

/** Search fields: nothing is lost with their text. */
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
 * Whether a field inside has unsaved typed text: a text that differs from that at the first focus.
 * `known` overrides it, `more` adds to it. Spread `handlers` on the element around.
 */
export function useTypedInput(known?: boolean, more = false) {
  const before = useRef(new Map<Control, string>());
  const isTyped = useStable(
    () =>
      known ??
      (more ||
        [...before.current].some(
          ([control, text]) => control.isConnected && control.value !== text,
        )),
  );
  useEffect(() => watchInput({ isHeld: isTyped, modal: true }), [isTyped]);
  const onFocusCapture = ({ target }: FocusEvent) => {
    if (isTextControl(target) && !before.current.has(target)) {
      before.current.set(target, target.value);
    }
  };
  const onInputCapture = ({ target }: FormEvent) => {
    if (isTextControl(target) && !before.current.has(target)) {
      before.current.set(target, target.defaultValue); // the text was there before the focus
    }
  };
  /** After sending from a dialog that stays open, the text no longer counts as unsaved. */
  const onSubmitCapture = ({ target }: FormEvent) => {
    for (const control of before.current.keys()) {
      if (elementOf(target)?.contains(control)) before.current.set(control, control.value);
    }
  };
  return { isTyped, handlers: { onFocusCapture, onInputCapture, onSubmitCapture } };
}
