/**
 * What a key means at the station, apart from drawing and from what the command then does.
 *
 * One rule keeps typing and commands apart: a text field keeps every key that it could use. The
 * search field passes on, while it is empty, the keys that no number and no name begins with
 * (`+ - . ?`), and always those that a line of text has no use for (Enter, ↑ ↓, → at the end).
 * Once an item is taken the field lets go, and digits and letters are commands. Alt and a letter
 * work from anywhere.
 */
import type { SearchType } from "./model";

export type Press = {
  key: string;
  code: string;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
};

/**
 * Where the key was pressed: in the search field without or with text, at the item card (or
 * nowhere in particular), on a button or choice, in any other text field.
 */
export type Place = "searchEmpty" | "searchText" | "card" | "control" | "field";

export type KeyContext = {
  place: Place;
  /** An item is taken: its card has the keyboard. */
  taken: boolean;
  /** The text cursor stands behind the last character. */
  caretAtEnd: boolean;
  /** A candidate after the first is chosen. */
  laterCandidate: boolean;
};

export type Command =
  | { do: "accept" }
  | { do: "escape" }
  | { do: "searchBy"; type: SearchType }
  | { do: "candidate"; index: number }
  | { do: "moveCandidate"; step: 1 | -1 }
  | { do: "moveColor"; step: 1 | -1 }
  | { do: "toggleCondition" }
  | { do: "digit"; digit: number }
  | { do: "eraseDigit" }
  | { do: "change"; by: 1 | -1 }
  | { do: "undo" }
  | { do: "redo" }
  | { do: "chooseBin" }
  | { do: "chooseBatch" }
  | { do: "editPrice" }
  | { do: "filterColors" }
  | { do: "toggleMode" }
  | { do: "capture" }
  | { do: "holdCamera" }
  | { do: "nextLookup" }
  | { do: "putAside" }
  | { do: "showMinifigs" }
  | { do: "weigh" }
  | { do: "showKeys" };

const SEARCH_KEYS: Record<string, SearchType> = { F2: "image", F3: "number", F4: "name" };

const LETTERS: Record<string, Command> = {
  b: { do: "chooseBatch" },
  l: { do: "chooseBin" },
  p: { do: "editPrice" },
  c: { do: "filterColors" },
  d: { do: "toggleMode" },
  w: { do: "holdCamera" },
};

/** Letters that are about the item on the card. */
const ITEM_LETTERS: Record<string, Command> = {
  s: { do: "putAside" },
  m: { do: "showMinifigs" },
  g: { do: "weigh" },
};

/** Keys that begin neither a number nor a name, so that an empty search field can spare them. */
const SPARED: Record<string, Command> = {
  "+": { do: "change", by: 1 },
  "-": { do: "change", by: -1 },
  ".": { do: "toggleCondition" },
  "?": { do: "showKeys" },
  " ": { do: "capture" },
};

const STEPS: Record<string, Command> = {
  ArrowUp: { do: "moveColor", step: -1 },
  ArrowDown: { do: "moveColor", step: 1 },
  ArrowLeft: { do: "moveCandidate", step: -1 },
  ArrowRight: { do: "moveCandidate", step: 1 },
};

/** The command of a key press, or null where the browser keeps the key. */
export function commandOf(press: Press, context: KeyContext): Command | null {
  const { place } = context;
  const searchBy = SEARCH_KEYS[press.key];
  if (searchBy) return { do: "searchBy", type: searchBy };
  if (press.ctrl) return history(press, place);
  if (press.alt) return withAlt(press);
  if (press.key === "F6") return { do: "nextLookup" };
  if (place === "field") return null;
  if (press.key === "Escape") return { do: "escape" };
  if (place === "searchText") return whileTyping(press, context);
  if (place === "searchEmpty") return SPARED[spelled(press)] ?? null;
  return atTheCard(press, context);
}

/** Ctrl+Z in a field with text undoes typing, which is the browser's. */
function history({ key, shift }: Press, place: Place): Command | null {
  if (place === "field" || place === "searchText") return null;
  const letter = key.toLowerCase();
  if (letter === "z") return { do: shift ? "redo" : "undo" };
  return letter === "y" ? { do: "redo" } : null;
}

/** By the key's place on the keyboard: with Alt some systems type other letters. */
function withAlt({ code }: Press): Command | null {
  const digit = /^(?:Digit|Numpad)([1-5])$/.exec(code)?.[1];
  if (digit) return { do: "candidate", index: Number(digit) - 1 };
  const letter = /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase();
  return (letter && (LETTERS[letter] ?? ITEM_LETTERS[letter])) || null;
}

function whileTyping({ key }: Press, context: KeyContext): Command | null {
  if (key === "Enter") return { do: "accept" };
  if (key === "ArrowUp" || key === "ArrowDown") return STEPS[key] ?? null;
  if (key === "ArrowRight" && context.caretAtEnd) return { do: "moveCandidate", step: 1 };
  if (key === "ArrowLeft" && context.caretAtEnd && context.laterCandidate) {
    return { do: "moveCandidate", step: -1 };
  }
  return null;
}

function atTheCard(press: Press, { place, taken }: KeyContext): Command | null {
  const key = spelled(press);
  // A button or a choice has its own Space.
  if (key === " " && place === "control") return null;
  const spared = SPARED[key] ?? LETTERS[key.toLowerCase()];
  if (spared) return spared;
  if (!taken) return null;
  const forItem = ITEM_LETTERS[key.toLowerCase()];
  if (forItem) return forItem;
  if (/^\d$/.test(key)) return { do: "digit", digit: Number(key) };
  if (key === "Backspace") return { do: "eraseDigit" };
  if (key === "*") return { do: "moveCandidate", step: 1 };
  if (key === "/") return { do: "moveColor", step: 1 };
  // A button or a choice has its own Enter and arrows.
  if (place === "control") return null;
  return key === "Enter" ? { do: "accept" } : (STEPS[key] ?? null);
}

/** The decimal key of a number pad types a comma in half of Europe. */
function spelled({ key, code }: Press): string {
  return code === "NumpadDecimal" ? "." : key;
}

/** A line of the key sheet. */
export type KeyLine = { keys: string[]; does: string; group: string };

/** The sheet that `?` shows; each line is one that `commandOf` knows (keys.test.ts compares). */
export const keySheet: readonly KeyLine[] = [
  { group: "Find", keys: ["F2", "F3", "F4"], does: "search by image, number, name" },
  { group: "Find", keys: ["Space"], does: "capture what lies under the camera" },
  { group: "Find", keys: ["F6"], does: "look for a part, minifig, set, any" },
  { group: "Find", keys: ["W"], does: "hold the camera, go on" },
  { group: "Find", keys: ["Enter"], does: "take the marked match; again: add it" },
  { group: "Find", keys: ["Alt+1", "Alt+5"], does: "take match 1 to 5" },
  { group: "Find", keys: ["←", "→", "*"], does: "another match" },
  { group: "Item", keys: ["↑", "↓", "/"], does: "another colour" },
  { group: "Item", keys: ["C"], does: "filter the colours" },
  { group: "Item", keys: ["0", "9"], does: "quantity" },
  { group: "Item", keys: ["."], does: "new or used" },
  { group: "Item", keys: ["P"], does: "price" },
  { group: "Item", keys: ["G"], does: "grams to count" },
  { group: "Item", keys: ["M"], does: "minifigs with this part" },
  { group: "Item", keys: ["S"], does: "put aside for the set" },
  { group: "Bin", keys: ["L"], does: "another bin" },
  { group: "Bin", keys: ["7", "8", "9"], does: "with the bins open: the next three" },
  {
    group: "After adding",
    keys: ["+", "-"],
    does: "one more, one less of the last (to 0: undone)",
  },
  { group: "After adding", keys: ["Ctrl+Z"], does: "undo" },
  { group: "After adding", keys: ["Ctrl+Shift+Z", "Ctrl+Y"], does: "redo" },
  { group: "Station", keys: ["B"], does: "another batch" },
  { group: "Station", keys: ["D"], does: "plan the bin, or stow at once" },
  { group: "Station", keys: ["Esc"], does: "clear, then leave" },
  { group: "Station", keys: ["?"], does: "this sheet" },
];
