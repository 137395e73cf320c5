/**
 * Listens on the whole page for a wedge scanner, before anybody else hears a key.
 *
 * In a text field keys arrive as always; only the Enter of a scan is taken, and what the scan
 * left in the field is taken back. Elsewhere keys are commands (L opens, digits count), so those
 * that may become a scan are held for an instant; if they do not, they are given back in their
 * order, to the element that they were meant for. A text field whose keys are commands says so
 * with `data-keys="commands"`.
 */
import { type Field, replay, setText, TYPED_INTO } from "./replay";
import { deliverCard, deliverScan } from "./scans";
import { LONGEST_GAP, WedgeReader } from "./wedgeReader";

const MODIFIERS = new Set(["Shift", "CapsLock", "AltGraph", "NumLock", "Unidentified"]);

/** What a field held before the first key of what may be a scan. */
type Before = { field: Field; value: string; start: number | null; end: number | null };

/** Begins to listen; returns what ends it. */
export function listenForWedge(page: Window = window): () => void {
  const reader = new WedgeReader();
  let held: KeyboardEvent[] = [];
  let timer: number | undefined;
  let before: Before | null = null;
  let replaying = false;

  /** Gives back what is held. True when it moved the focus: what follows is typed there. */
  const giveBack = (): boolean => {
    page.clearTimeout(timer);
    const keys = held;
    held = [];
    const focused = document.activeElement;
    const hasMoved = () => document.activeElement !== focused;
    for (const key of keys) giveAgain(key, hasMoved() ? document.activeElement : key.target);
    return hasMoved();
  };
  const giveAgain = (key: KeyboardEvent, target: EventTarget | null) => {
    replaying = true;
    try {
      replay(key, target);
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
      if (giveBack()) {
        stop(event);
        giveAgain(event, document.activeElement);
      }
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
    let field = typedInto(event.target);
    if (reader.hasJustBegun) {
      if (giveBack()) {
        stop(event);
        field = typedInto(document.activeElement);
        before = field && remember(field);
        giveAgain(event, document.activeElement);
        if (!field) reader.forget();
        return;
      }
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

/** Puts a field back to what it held. */
function takeBack({ field, value, start, end }: Before): void {
  if (field.isConnected && field.value !== value) setText(field, value, start, end);
}
