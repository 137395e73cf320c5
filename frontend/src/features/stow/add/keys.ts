/**
 * Maps keys to the station's commands, independent of rendering and of the commands' effects.
 *
 * One rule separates typing from commands: a text field handles every key that it can use. The
 * search field passes on keys with which no number or name begins (`+ - . ?`) while it is empty,
 * and always the keys that a one-line text does not need (Enter, ↑ ↓, → at the end). Once an item
 * is taken, the field loses the focus, and digits and letters are commands. Alt and a letter work
 * everywhere.
 */
import type { SearchType } from "../model";

export type Press = {
  key: string;
  code: string;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
};

/**
 * Where the key was pressed: in the search field without or with text, at the item card (or without
 * focus), on a button or choice, in any other text field.
 */
export type Place = "searchEmpty" | "searchText" | "card" | "control" | "field";

export type KeyContext = {
  place: Place;
  /** An item is taken: keys go to its card. */
  taken: boolean;
  /** The text cursor is behind the last character. */
  caretAtEnd: boolean;
  /** A candidate other than the first is chosen. */
  laterCandidate: boolean;
  /** A picture shows candidates, none of them for sure. */
  unchosen: boolean;
};

export type Command =
  | { do: "accept" }
  | { do: "take" }
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
  | { do: "lockColor" }
  | { do: "bulk" }
  | { do: "toggleMode" }
  | { do: "capture" }
  | { do: "holdCamera" }
  | { do: "nextLookup" }
  | { do: "putAside" }
  | { do: "showMinifigs" }
  | { do: "weigh" }
  | { do: "skip" }
  | { do: "showKeys" };

const SEARCH_KEYS: Record<string, SearchType> = { F2: "image", F3: "number", F4: "name" };

/** The commands of letters, each with its default letter. */
export const letterCommands = [
  { name: "holdCamera", letter: "w", does: "pause or resume the camera", group: "Find" },
  { name: "filterColors", letter: "c", does: "filter the colours", group: "Item" },
  { name: "lockColor", letter: "k", does: "lock or unlock the colour", group: "Item" },
  { name: "editPrice", letter: "p", does: "price", group: "Item" },
  { name: "weigh", letter: "g", does: "grams to count", group: "Item", ofItem: true },
  {
    name: "showMinifigs",
    letter: "m",
    does: "minifigs with this part",
    group: "Item",
    ofItem: true,
  },
  { name: "putAside", letter: "s", does: "put aside for the set", group: "Item", ofItem: true },
  { name: "skip", letter: "x", does: "skip it, keep its photo for later", group: "Item" },
  { name: "bulk", letter: "u", does: "into the bulk tray, without a lot", group: "Item" },
  { name: "chooseBin", letter: "l", does: "another bin", group: "Bin" },
  { name: "chooseBatch", letter: "b", does: "another batch", group: "Station" },
  { name: "toggleMode", letter: "d", does: "plan the bin, or stow at once", group: "Station" },
] as const;
type LetterCommand = (typeof letterCommands)[number];
export type LetterName = LetterCommand["name"];

/** The person's own letters for commands, and whether letters work without Alt. */
export type Letters = {
  own: readonly { name: string; letter: string }[];
  on: boolean;
};
const defaultLetters: Letters = { own: [], on: true };

export function letterOf(name: LetterName, { own }: Letters): string {
  const given = own.find((each) => each.name === name)?.letter;
  return given ?? letterCommands.find((each) => each.name === name)?.letter ?? "";
}

/** Why a command cannot have this letter, or null. */
export function whyNotLetter(name: LetterName, letter: string, letters: Letters): string | null {
  if (!/^[a-z]$/.test(letter)) return "One letter from A to Z";
  const other = letterCommands.find(
    (each) => each.name !== name && letterOf(each.name, letters) === letter,
  );
  return other ? `${letter.toUpperCase()} is for: ${other.does}` : null;
}

/** The person's letters take precedence over default letters. */
function commandOfLetter(key: string, letters: Letters, taken: boolean): Command | null {
  const letter = key.toLowerCase();
  const mine = letters.own.find((each) => each.letter === letter)?.name;
  const found = letterCommands.find((each) =>
    mine ? each.name === mine : letterOf(each.name, letters) === letter,
  );
  return found && (taken || !("ofItem" in found)) ? { do: found.name } : null;
}

/** Keys with which no number or name begins, so that an empty search field can pass them on. */
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

const CHOOSING: Record<string, Command> = {
  ArrowLeft: { do: "moveCandidate", step: -1 },
  ArrowRight: { do: "moveCandidate", step: 1 },
  ArrowUp: { do: "moveCandidate", step: -1 },
  ArrowDown: { do: "moveCandidate", step: 1 },
  "*": { do: "moveCandidate", step: 1 },
};

/** The command of a key press, or null where the browser handles the key. */
export function commandOf(
  press: Press,
  context: KeyContext,
  letters: Letters = defaultLetters,
): Command | null {
  const { place } = context;
  const searchBy = SEARCH_KEYS[press.key];
  if (searchBy) return { do: "searchBy", type: searchBy };
  if (press.ctrl) return history(press, place);
  if (press.alt) return withAlt(press, letters);
  if (press.key === "F6") return { do: "nextLookup" };
  if (place === "field") return null;
  if (press.key === "Escape") return { do: "escape" };
  if (place === "searchText") return whileTyping(press, context);
  if (place === "searchEmpty") return SPARED[spelled(press)] ?? null;
  return atTheCard(press, context, letters);
}

/** In a field with text, Ctrl+Z is the browser's undo of typing. */
function history({ key, shift }: Press, place: Place): Command | null {
  if (place === "field" || place === "searchText") return null;
  const letter = key.toLowerCase();
  if (letter === "z") return { do: shift ? "redo" : "undo" };
  return letter === "y" ? { do: "redo" } : null;
}

/** By the key's place on the keyboard: with Alt, some systems type other letters. */
function withAlt({ code }: Press, letters: Letters): Command | null {
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1];
  if (digit) return { do: "candidate", index: Number(digit) - 1 };
  const letter = /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase();
  return letter ? commandOfLetter(letter, letters, true) : null;
}

function whileTyping({ key, shift }: Press, context: KeyContext): Command | null {
  if (key === "Enter") return { do: shift ? "take" : "accept" };
  if (key === "ArrowUp" || key === "ArrowDown") return STEPS[key] ?? null;
  if (key === "ArrowRight" && context.caretAtEnd) return { do: "moveCandidate", step: 1 };
  if (key === "ArrowLeft" && context.caretAtEnd && context.laterCandidate) {
    return { do: "moveCandidate", step: -1 };
  }
  return null;
}

function atTheCard(press: Press, context: KeyContext, letters: Letters): Command | null {
  const { place, taken } = context;
  const key = spelled(press);
  // Space presses a button or a choice.
  if (key === " " && place === "control") return null;
  const spared = SPARED[key] ?? (letters.on ? commandOfLetter(key, letters, taken) : null);
  if (spared) return spared;
  if (!taken) return context.unchosen && place === "card" ? (CHOOSING[key] ?? null) : null;
  if (/^\d$/.test(key)) return { do: "digit", digit: Number(key) };
  if (key === "Backspace") return { do: "eraseDigit" };
  if (key === "*") return { do: "moveCandidate", step: 1 };
  if (key === "/") return { do: "moveColor", step: 1 };
  // Buttons and choices handle Enter and arrows themselves.
  if (place === "control") return null;
  return key === "Enter" ? { do: "accept" } : (STEPS[key] ?? null);
}

/** On many European keyboards the decimal key of the number pad types a comma. */
function spelled({ key, code }: Press): string {
  return code === "NumpadDecimal" ? "." : key;
}

/** A line of the key sheet. */
export type KeyLine = { keys: string[]; does: string; group: string };

/**
 * The lines of the sheet that `?` shows; `commandOf` supports each of them (keys.test.ts compares).
 */
export function keySheet(letters: Letters = defaultLetters): readonly KeyLine[] {
  const ofLetters = letterCommands.map((each) => {
    const letter = letterOf(each.name, letters).toUpperCase();
    return { group: each.group, keys: [letters.on ? letter : `Alt+${letter}`], does: each.does };
  });
  return [...FIXED, ...ofLetters];
}

const FIXED: readonly KeyLine[] = [
  { group: "Find", keys: ["F2", "F3", "F4"], does: "search by image, number, name" },
  { group: "Find", keys: ["Space"], does: "capture the part under the camera" },
  { group: "Find", keys: ["F6"], does: "look for a part, minifig, set, any" },
  { group: "Find", keys: ["Enter"], does: "take the marked match; again: add it" },
  { group: "Find", keys: ["Enter"], does: "after a number and its colour: add it at once" },
  { group: "Find", keys: ["Shift+Enter"], does: "take the marked match and look at it first" },
  { group: "Find", keys: ["Alt+1", "Alt+9"], does: "take match 1 to 9" },
  { group: "Find", keys: ["←", "→", "*"], does: "another match" },
  { group: "Item", keys: ["1", "9"], does: "at “Which colour?”: one of the pictures; Enter adds" },
  { group: "Item", keys: ["↑", "↓", "/"], does: "another colour" },
  { group: "Item", keys: ["0", "9"], does: "quantity" },
  { group: "Item", keys: ["."], does: "new or used" },
  { group: "Bin", keys: ["7", "8", "9"], does: "with the bins open: the next three" },
  {
    group: "After adding",
    keys: ["+", "-"],
    does: "one more, one less of the last (to 0: undone)",
  },
  { group: "After adding", keys: ["Ctrl+Z"], does: "undo" },
  { group: "After adding", keys: ["Ctrl+Shift+Z", "Ctrl+Y"], does: "redo" },
  { group: "Station", keys: ["Esc"], does: "clear, then leave" },
  { group: "Station", keys: ["?"], does: "this sheet" },
];
