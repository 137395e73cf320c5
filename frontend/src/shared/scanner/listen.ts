/**
 * Listens on the whole page for a wedge scanner, before anybody else hears a key.
 *
 * In a text field keys arrive as always; only the Enter of a scan is taken, and what the scan
 * left in the field is taken back. Elsewhere keys are commands (L opens, digits count), so those
 * that may become a scan are held for an instant; if they do not, they are given back in their
 * order, to the element that they were meant for. A text field whose keys are commands says so
 * with `data-keys="commands"`.
 */
import { deliverCard, deliverScan } from "./scans";
import { LONGEST_GAP, WedgeReader } from "./wedgeReader";

const TYPED_INTO =
  "textarea, select, [contenteditable=true], input:not([type=radio], [type=checkbox], [type=button], [type=submit], [type=file], [type=range])";
const MODIFIERS = new Set(["Shift", "CapsLock", "AltGraph", "NumLock", "Unidentified"]);

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
/** What a field held before the first key of what may be a scan. */
type Before = { field: Field; value: string; start: number | null; end: number | null };

/** Begins to listen; returns what ends it. */
export function listenForWedge(page: Window = window): () => void {
  const reader = new WedgeReader();
  let held: KeyboardEvent[] = [];
  let timer: number | undefined;
  let before: Before | null = null;
  let replaying = false;

  const giveBack = () => {
    page.clearTimeout(timer);
    const keys = held;
    held = [];
    replaying = true;
    try {
      for (const key of keys) replay(key);
    } finally {
      replaying = false;
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (replaying || MODIFIERS.has(event.key)) return;
    if (event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) {
      reader.forget();
      giveBack();
      return;
    }
    const { key, code, shiftKey: shift, timeStamp: at } = event;
    const step = reader.feed({ key, code, shift, at });
    if (step === "other") {
      giveBack();
      before = null;
      return;
    }
    if (step !== "part") {
      stop(event);
      page.clearTimeout(timer);
      held = [];
      if (before) takeBack(before);
      before = null;
      if ("scan" in step) deliverScan(step.scan);
      else deliverCard(step.card);
      return;
    }
    const field = typedInto(event.target);
    if (reader.hasJustBegun) {
      giveBack();
      before = field && remember(field);
    }
    if (field) return;
    stop(event);
    held.push(event);
    page.clearTimeout(timer);
    timer = page.setTimeout(giveBack, LONGEST_GAP + 20);
  };
  // A held Space must not press the button that has the focus when it comes up again.
  const onKeyUp = (event: KeyboardEvent) => {
    if (held.length > 0 && !MODIFIERS.has(event.key)) stop(event);
  };

  page.addEventListener("keydown", onKeyDown, { capture: true });
  page.addEventListener("keyup", onKeyUp, { capture: true });
  return () => {
    giveBack();
    page.removeEventListener("keydown", onKeyDown, { capture: true });
    page.removeEventListener("keyup", onKeyUp, { capture: true });
  };
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function typedInto(target: EventTarget | null): Field | null {
  if (!(target instanceof Element) || !target.matches(TYPED_INTO)) return null;
  return target.closest("[data-keys=commands]") ? null : (target as Field);
}

function remember(field: Field): Before {
  const { value } = field;
  let [start, end]: [number | null, number | null] = [null, null];
  try {
    if (!(field instanceof HTMLSelectElement)) {
      ({ selectionStart: start, selectionEnd: end } = field);
    }
  } catch {
    // Number and date fields have no selection to tell of.
  }
  return { field, value, start, end };
}

/** Puts a field back to what it held, so that whoever listens to it hears of it too. */
function takeBack({ field, value, start, end }: Before): void {
  if (!field.isConnected || field.value === value) return;
  const prototype = Object.getPrototypeOf(field) as Field;
  // Past React's own setter on the element, or it would take the change for its own.
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
  const isSelect = field instanceof HTMLSelectElement;
  field.dispatchEvent(new Event(isSelect ? "change" : "input", { bubbles: true }));
  if (!isSelect && start !== null) field.setSelectionRange(start, end);
}

/** Does again what a held key would have done: its listeners, then its letter. */
function replay(event: KeyboardEvent): void {
  const { target, key, code, shiftKey } = event;
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
  // A listener may have moved the focus: the letter goes where a real key would put it.
  const focused = document.activeElement;
  if (!focused?.matches(TYPED_INTO) || focused instanceof HTMLSelectElement) return;
  const field = focused as HTMLInputElement | HTMLTextAreaElement;
  // The only way that keeps the field's own undo; where it is missing, by hand.
  if (document.execCommand?.("insertText", false, key)) return;
  const at = field.selectionStart ?? field.value.length;
  const text = field.value.slice(0, at) + key + field.value.slice(field.selectionEnd ?? at);
  takeBack({ field, value: text, start: at + 1, end: at + 1 });
}
