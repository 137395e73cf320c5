/**
 * The one place that every key of the page passes before anybody else hears it.
 *
 * A key waits here for one of two reasons. It may be part of a scan: a wedge scanner types like a
 * keyboard, and outside of text fields its letters would be commands. Or it was typed ahead, for
 * a field that is still opening (`keepKeysFor`). Whatever waited is passed on in the order in
 * which it was typed, and nothing overtakes it.
 *
 * In a text field keys arrive as always; only the Enter of a scan is taken, and what the scan
 * left in the field is taken back. A text field whose keys are commands says so with
 * `data-keys="commands"`.
 */
import { type Field, replay, setText, TYPED_INTO } from "./replay";
import { deliverCard, deliverScan } from "./scans";
import { LONGEST_GAP, type Step, WedgeReader } from "./wedgeReader";

const MODIFIERS = new Set(["Shift", "CapsLock", "AltGraph", "NumLock", "Unidentified"]);
/** Besides letters and digits: what is meant for a field that opens. */
const KEPT = new Set(["Enter", "Backspace", "ArrowUp", "ArrowDown"]);

/** What a field held before the first key of what may be a scan. */
type Before = { field: Field; value: string; start: number | null; end: number | null };

/** What keys are kept for. */
type Wanted = {
  /** Whether the element that has the focus is it. */
  isIt: (focused: Element) => boolean;
  /** It is not waited for any more; the letters that were kept for it, if they were lost. */
  onLost: (letters: string) => void;
};

class KeyLine {
  /** Fed with each key; says whether it may be part of a scan. */
  private readonly reader = new WedgeReader();
  /** Keys that may become a scan. */
  private held: KeyboardEvent[] = [];
  /** Keys that are none, and were not passed on yet. */
  private queue: KeyboardEvent[] = [];
  wanted: Wanted | null = null;
  /** The field that gets what was kept for it. */
  private field: Element | null = null;
  private before: Before | null = null;
  private scanTimer: number | undefined;
  private turn: number | undefined;
  private replaying = false;

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

  /** Whatever was kept has no place to go any more. */
  readonly lose = (): void => {
    const { wanted } = this;
    if (!wanted) return;
    this.wanted = null;
    wanted.onLost(this.dropQueue());
  };

  /** The focus is where the keys belong by now. */
  readonly recheck = (): void => this.arrive(document.activeElement);

  /** The digits that were kept first: taken out of the line. */
  takeDigits(): string {
    const count = this.queue.findIndex(({ key }) => !/^\d$/.test(key));
    const taken = this.queue.splice(0, count < 0 ? this.queue.length : count);
    return taken.map(({ key }) => key).join("");
  }

  private dropQueue(): string {
    return lettersOf(this.queue.splice(0));
  }

  /** What of it is typed, as against pressed. */
  get letters(): string {
    return lettersOf(this.queue);
  }

  private readonly onKeyDown = (event: KeyboardEvent): void => {
    if (this.replaying || MODIFIERS.has(event.key)) return;
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
    const field = goesLater ? null : typedInto(moved ? document.activeElement : event.target);
    if (begins) this.before = field && remember(field);
    if (field) {
      if (moved) this.enqueue(event);
      return;
    }
    stop(event);
    this.held.push(event);
    this.page.clearTimeout(this.scanTimer);
    this.scanTimer = this.page.setTimeout(() => this.release(), LONGEST_GAP + 20);
  }

  /** A key that is no part of a scan: it goes where it was typed, unless others go before it. */
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
      // Another command, or out of here: it cannot be done again later as the browser does it.
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

  /** What is held is no scan. True when passing it on moved the focus. */
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
    if (this.wanted || this.turn !== undefined || this.queue.length === 0) return;
    this.pass();
    if (this.queue.length > 0) this.passSoon();
  }

  /** A turn for each key: what one changed is on the page before the next one. */
  private passSoon(): void {
    this.turn ??= this.page.setTimeout(() => {
      this.turn = undefined;
      this.passNext();
    });
  }

  private pass(): void {
    // Gone while its keys were on their way: elsewhere they would be commands.
    if (this.field && !this.field.isConnected) {
      this.field = null;
      this.dropQueue();
      return;
    }
    const key = this.queue.shift();
    if (!key) return;
    this.replaying = true;
    try {
      replay(key, document.activeElement);
    } finally {
      this.replaying = false;
    }
    if (key.key === "Enter" || document.activeElement !== this.field) this.field = null;
  }

  private readonly onFocus = (event: FocusEvent): void => this.arrive(event.target);

  private arrive(focused: EventTarget | null): void {
    if (!(focused instanceof Element) || !this.wanted?.isIt(focused)) return;
    this.wanted = null;
    this.field = focused;
    this.passSoon();
  }

  // A held Space must not press the button that has the focus when it comes up again.
  private readonly onKeyUp = (event: KeyboardEvent): void => {
    const waits = this.held.length > 0 || this.isWaiting;
    if (waits && !MODIFIERS.has(event.key)) stop(event);
  };
}

let line: KeyLine | null = null;
let listeners = 0;

/** Begins to listen, once for all who ask for it; returns what ends it. */
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
 * From now on keys are kept, until what they are meant for has the focus; then it gets them in
 * their order. Escape, another command and a click elsewhere give them up.
 */
export function keepKeysFor(isIt: Wanted["isIt"], onLost: Wanted["onLost"]): void {
  line?.keepFor({ isIt, onLost });
}

/** What they are kept for has the focus already, and may have them now. */
export const passKeptKeys = (): void => line?.recheck();

/** The letters among what is kept. */
export const keptLetters = (): string => line?.letters.replace(/[^\p{L}]/gu, "") ?? "";

/** The digits that were kept before anything else, for whoever waits; they are not passed on. */
export const takeKeptDigits = (): string =>
  line !== null && line.wanted !== null ? line.takeDigits() : "";

export const areKeysKept = (): boolean => line !== null && line.wanted !== null;

/** What keys are kept for does not come. */
export const loseKeys = (): void => line?.lose();

const lettersOf = (keys: readonly KeyboardEvent[]): string =>
  keys.flatMap(({ key }) => (key.length === 1 ? key : [])).join("");

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
