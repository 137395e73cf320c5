/** Keys that waited, as data: for the controls that act on keys, in place of key events. */
import { type RefObject, useEffect, useEffectEvent } from "react";
import { flushSync } from "react-dom";
import { createLine } from "./scans";

/** A key that was pressed: an event of the browser, or one that waited. */
export type Press = Pick<
  KeyboardEvent,
  "key" | "code" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "repeat" | "isComposing"
> & {
  timeStamp: number;
  target: EventTarget | null;
  /** Set by the control that acts on it. */
  defaultPrevented: boolean;
  preventDefault: () => void;
  stopPropagation: () => void;
};

const TYPED_INTO =
  "textarea, select, [contenteditable=true], input:not([type=radio], [type=checkbox], [type=button], [type=submit], [type=file], [type=range])";

export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Whether letters are typed into an element: one with a text of its own. */
export const isField = (element: Element | null): element is Field =>
  element?.matches(TYPED_INTO) === true;

const line = createLine<Press>();

/** Handles the keys that waited, with the handler of those that did not; `within` an element only. */
export function useWaitingKeys(
  handle: (press: Press) => void,
  within?: RefObject<Element | null>,
): void {
  const latest = useEffectEvent((press: Press) => {
    const isOurs = !within || within.current?.contains(press.target as Node | null);
    if (isOurs) handle(press);
    return press.defaultPrevented;
  });
  useEffect(() => line.add((press) => latest(press)), []);
}

/** Does what the key does where the focus is: its command, or its letter. */
export function perform(event: KeyboardEvent): void {
  const { key, code, shiftKey, timeStamp, repeat } = event;
  const target = document.activeElement;
  if (!target) return;
  const press = {
    ...{ key, code, shiftKey, timeStamp, repeat, target },
    ...{ ctrlKey: false, metaKey: false, altKey: false, isComposing: false },
    defaultPrevented: false,
    preventDefault: () => {
      press.defaultPrevented = true;
    },
    stopPropagation: () => undefined,
  };
  // Its effect is on the page before the next key.
  flushSync(() => line.deliver(press));
  if (press.defaultPrevented) return;
  if (key === "Enter" && target instanceof HTMLInputElement) target.form?.requestSubmit();
  if (key === "Enter" || key === " ") target.closest("button")?.click();
  if (key.length > 1 && key !== "Backspace") return;
  // A command may have moved the focus: the letter goes to the focused field, as with a real key.
  const field = document.activeElement;
  if (!isField(field) || field instanceof HTMLSelectElement) return;
  // The only way that keeps the field's own undo. Browsers without it get the text set directly.
  const isErased = key === "Backspace";
  const letter = isErased ? "" : key;
  if (document.execCommand?.(isErased ? "delete" : "insertText", false, letter)) return;
  const end = field.selectionEnd ?? field.value.length;
  const start = field.selectionStart ?? end;
  const from = isErased && start === end ? Math.max(0, start - 1) : start;
  const text = field.value.slice(0, from) + letter + field.value.slice(end);
  setText(field, text, from + letter.length, from + letter.length);
}

/** Sets the text of a field and fires its input event. */
export function setText(field: Field, text: string, start: number | null, end: number | null) {
  const prototype: Field = Object.getPrototypeOf(field);
  // Uses the prototype's setter, since React ignores changes made through its own.
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, text);
  const isSelect = field instanceof HTMLSelectElement;
  field.dispatchEvent(new Event(isSelect ? "change" : "input", { bubbles: true }));
  if (!isSelect && start !== null) field.setSelectionRange(start, end);
}
