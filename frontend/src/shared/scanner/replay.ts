/** Replays a held key: calls its listeners, then types its letter. */

export const TYPED_INTO =
  "textarea, select, [contenteditable=true], input:not([type=radio], [type=checkbox], [type=button], [type=submit], [type=file], [type=range])";

export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Whether letters are typed into an element: one with a text of its own. */
export const isField = (element: Element | null): element is Field =>
  element?.matches(TYPED_INTO) === true;

export function replay(event: KeyboardEvent, target: EventTarget | null): void {
  const { key, code, shiftKey } = event;
  if (!(target instanceof Element) || !target.isConnected) return;
  const again = new KeyboardEvent("keydown", {
    key,
    code,
    shiftKey,
    bubbles: true,
    cancelable: true,
    composed: true,
  });
  if (!target.dispatchEvent(again)) return;
  if (key === "Enter" && target instanceof HTMLInputElement) target.form?.requestSubmit();
  if (key === "Enter" || key === " ") target.closest("button")?.click();
  if (key.length > 1 && key !== "Backspace") return;
  // A listener may have moved the focus: the letter goes to the focused field, as with a real key.
  const focused = document.activeElement;
  if (!isField(focused) || focused instanceof HTMLSelectElement) return;
  const field = focused;
  // The only way that keeps the field's own undo. Browsers without it get the text set directly.
  const isErased = key === "Backspace";
  if (document.execCommand?.(isErased ? "delete" : "insertText", false, isErased ? "" : key)) {
    return;
  }
  const end = field.selectionEnd ?? field.value.length;
  const start = field.selectionStart ?? end;
  const from = isErased && start === end ? Math.max(0, start - 1) : start;
  const letter = isErased ? "" : key;
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
