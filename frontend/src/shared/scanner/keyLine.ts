/**
 * A queue that sees every key of the page before other listeners.
 *
 * A key waits for one of two reasons. It may be part of a scan: a wedge scanner types like a
 * keyboard, and outside of text fields its letters would be commands. Or it was typed ahead, for a
 * field that is still opening (`keepKeysFor`). Keys that waited are performed in the order in which
 * they were typed: by the control that has commands (`useWaitingKeys`), or as text.
 *
 * In a text field or a menu keys are not delayed. Only the Enter of a scan is intercepted, and the
 * text of the scan is removed from the field. A text field whose keys are commands has
 * `data-keys="commands"`.
 */
import { type Field, isField, perform, setText } from "./presses";
import { deliverCard, deliverScan } from "./scans";
import { LONGEST_GAP, type Step, WedgeReader } from "./wedgeReader";

const MODIFIERS = new Set(["Shift", "CapsLock", "AltGraph", "NumLock", "Unidentified"]);
/** Keys held for a field that opens, besides letters and digits. */
const KEPT = new Set(["Enter", "Backspace", "ArrowUp", "ArrowDown"]);

/** The text of a field before the first key of a possible scan. */
type Before = { field: Field; value: string; start: number | null; end: number | null };

/** The target of kept keys. */
type Wanted = {
  /** Whether the element that has the focus is it. */
  isIt: (focused: Element) => boolean;
  /** The wait has ended; called with the kept letters if they were lost. */
  onLost: (letters: string) => void;
};

class KeyLine {
  /** Called with each key; returns whether it may be part of a scan. */
  private readonly reader = new WedgeReader();
  /** Keys of a possible scan. */
  private held: KeyboardEvent[] = [];
  /** Keys that belong to no scan and have not been passed on yet. */
  private queue: KeyboardEvent[] = [];
  wanted: Wanted | null = null;
  /** The field that receives the kept keys. */
  private field: Element | null = null;
  private before: Before | null = null;
  private scanTimer: number | undefined;
  private turn: number | undefined;

  constructor(private readonly page: Window) {
    page.addEventListener("keydown", this.onKeyDown, { capture: true });
    page.addEventListener("keyup", this.onKeyUp, { capture: true });
    page.addEventListener("focusin", this.onFocus);
    page.addEventListener("pointerdown", this.lose, { capture: true });
  }

  end(): void {
    this.lose();
    this.queue.push(...this.held.splice(0));
    this.passAll();
    this.page.clearTimeout(this.scanTimer);
    this.page.removeEventListener("keydown", this.onKeyDown, { capture: true });
    this.page.removeEventListener("keyup", this.onKeyUp, { capture: true });
    this.page.removeEventListener("focusin", this.onFocus);
    this.page.removeEventListener("pointerdown", this.lose, { capture: true });
  }

  keepFor(wanted: Wanted): void {
    this.lose();
    this.wanted = wanted;
    this.field = null;
    this.arrive(document.activeElement);
  }

  /** Drops the kept keys: their target no longer exists. */
  readonly lose = (): void => {
    const { wanted } = this;
    if (!wanted) return;
    this.wanted = null;
    wanted.onLost(this.dropQueue());
  };

  /** The focus has already moved to the target of the kept keys. */
  readonly recheck = (): void => this.arrive(document.activeElement);

  /** Removes the leading digits from the kept keys and returns them. */
  takeDigits(): string {
    const count = this.queue.findIndex(({ key }) => !/^\d$/.test(key));
    const taken = this.queue.splice(0, count < 0 ? this.queue.length : count);
    return taken.map(({ key }) => key).join("");
  }

  private dropQueue(): string {
    return lettersOf(this.queue.splice(0));
  }

  /** The keys that type text, without commands. */
  get letters(): string {
    return lettersOf(this.queue);
  }

  private readonly onKeyDown = (event: KeyboardEvent): void => {
    if (MODIFIERS.has(event.key)) return;
    const { key, code, shiftKey: shift, timeStamp: at } = event;
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) {
      this.reader.forget();
      this.release();
      return;
    }
    if (event.repeat) this.reader.forget();
    const step = event.repeat ? "other" : this.reader.feed({ key, code, shift, at });
    if (step === "part") this.mayBeScan(event);
    else if (step === "other") this.letThrough(event);
    else this.takeScan(event, step);
  };

  private takeScan(event: KeyboardEvent, step: Exclude<Step, string>): void {
    stop(event);
    this.page.clearTimeout(this.scanTimer);
    this.held = [];
    if (this.before) takeBack(this.before);
    this.before = null;
    if ("scan" in step) deliverScan(step.scan);
    else deliverCard(step.card);
  }

  private mayBeScan(event: KeyboardEvent): void {
    const begins = this.reader.hasJustBegun;
    const moved = begins && this.release();
    const goesLater = this.isWaiting || this.held.length > 0;
    const reader = goesLater ? null : lettersReader(moved ? document.activeElement : event.target);
    if (begins) this.before = reader && isField(reader) ? remember(reader) : null;
    if (reader) {
      if (moved) this.enqueue(event);
      return;
    }
    stop(event);
    this.held.push(event);
    this.page.clearTimeout(this.scanTimer);
    this.scanTimer = this.page.setTimeout(() => this.release(), LONGEST_GAP + 20);
  }

  /** Passes on a key that is not part of a scan, after the keys before it. */
  private letThrough(event: KeyboardEvent): void {
    this.before = null;
    const moved = this.release();
    const isKept = event.key.length === 1 || KEPT.has(event.key);
    if (event.key === "Escape" && this.wanted) {
      this.dropQueue();
      this.lose();
    } else if (isKept && (this.isWaiting || moved)) {
      this.enqueue(event);
    } else if (!isKept) {
      // Another command, or a key that leaves the page: its default action cannot be replayed
      // later.
      this.lose();
      this.passAll();
    }
  }

  private get isWaiting(): boolean {
    return this.wanted !== null || this.queue.length > 0;
  }

  private enqueue(event: KeyboardEvent): void {
    stop(event);
    this.queue.push(event);
    this.passNext();
  }

  /** The held keys are not a scan: passes them on. Returns true if that moved the focus. */
  private release(): boolean {
    this.page.clearTimeout(this.scanTimer);
    const focused = document.activeElement;
    this.queue.push(...this.held.splice(0));
    this.passNext();
    return document.activeElement !== focused;
  }

  private passAll(): void {
    while (this.queue.length > 0) this.pass();
  }

  private passNext(): void {
    if (this.wanted || this.turn !== undefined) return;
    if (this.queue.length > 0) this.pass();
    if (this.queue.length > 0) this.passSoon();
    // Later keys go to whatever has the focus.
    else this.field = null;
  }

  /** One task for each key, so that the page shows a key's effect before the next key. */
  private passSoon(): void {
    this.turn ??= this.page.setTimeout(() => {
      this.turn = undefined;
      this.passNext();
    });
  }

  private pass(): void {
    // The target was removed while its keys were being passed on. Elsewhere they would be commands.
    if (this.field && !this.field.isConnected) {
      this.field = null;
      this.dropQueue();
      return;
    }
    const key = this.queue.shift();
    if (!key) return;
    perform(key);
    if (key.key === "Enter" || document.activeElement !== this.field) this.field = null;
  }

  private readonly onFocus = (event: FocusEvent): void => this.arrive(event.target);

  private arrive(focused: EventTarget | null): void {
    if (!(focused instanceof Element) || !this.wanted?.isIt(focused)) return;
    this.wanted = null;
    this.field = focused;
    this.passSoon();
  }

  // The keyup of a held Space must not press the focused button.
  private readonly onKeyUp = (event: KeyboardEvent): void => {
    const waits = this.held.length > 0 || this.isWaiting;
    if (waits && !MODIFIERS.has(event.key)) stop(event);
  };
}

let line: KeyLine | null = null;
let listeners = 0;

/** Starts listening, once for all callers. Returns a function that stops it. */
export function listenToKeys(page: Window = window): () => void {
  line ??= new KeyLine(page);
  listeners += 1;
  return () => {
    listeners -= 1;
    if (listeners > 0) return;
    line?.end();
    line = null;
  };
}

/**
 * Keeps all keys until their target has the focus, then passes them on in order. Escape, another
 * command or a click elsewhere drops them.
 */
export function keepKeysFor(isIt: Wanted["isIt"], onLost: Wanted["onLost"]): void {
  line?.keepFor({ isIt, onLost });
}

/** The target already has the focus and can receive the keys now. */
export const passKeptKeys = (): void => line?.recheck();

/** The letters among the kept keys. */
export const keptLetters = (): string => line?.letters.replace(/[^\p{L}]/gu, "") ?? "";

/** Returns the digits that were kept first; they are not passed on. */
export const takeKeptDigits = (): string =>
  line !== null && line.wanted !== null ? line.takeDigits() : "";

export const areKeysKept = (): boolean => line !== null && line.wanted !== null;

/** The target of the kept keys will not appear. */
export const loseKeys = (): void => line?.lose();

const lettersOf = (keys: readonly KeyboardEvent[]): string =>
  keys.flatMap(({ key }) => (key.length === 1 ? key : [])).join("");

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** The text field or the menu in which letters are no commands. */
function lettersReader(target: EventTarget | null): Element | null {
  if (!(target instanceof Element) || target.closest("[data-keys=commands]")) return null;
  return isField(target) ? target : target.closest("[role=menu], [role=listbox]");
}

function remember(field: Field): Before {
  const { value } = field;
  let [start, end]: [number | null, number | null] = [null, null];
  try {
    if (!(field instanceof HTMLSelectElement)) {
      ({ selectionStart: start, selectionEnd: end } = field);
    }
  } catch {
    // Number and date fields do not report a selection.
  }
  return { field, value, start, end };
}

/** Restores a field's earlier text. */
function takeBack({ field, value, start, end }: Before): void {
  if (field.isConnected && field.value !== value) setText(field, value, start, end);
}
