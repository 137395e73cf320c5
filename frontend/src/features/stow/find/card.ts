import type { CatalogItem } from "@/features/catalog/public";
import type { Bin } from "@/features/locations/public";

/**
 * The state of the card: the typed text, the marked match, and the choices for it. Only the
 * person's choices are kept here; data of the server stays in the query cache, and null means "as
 * proposed": the first colour, the reference price, the recommended bin.
 */
export type Card = {
  /** Number or name as typed. */
  text: string;
  /** The items recognised on a picture, in place of a text; null: the text is typed. */
  seen: readonly CatalogItem[] | null;
  /** When that picture was taken, in milliseconds: the stopwatch starts then. */
  capturedAt: number | null;
  /** The index of the marked match; -1 where a picture shows none for sure. */
  candidate: number;
  /** Enter took the match: digits now change the quantity. */
  taken: boolean;
  colorId: number | null;
  /** Steps with ↑ ↓ that were made before the colours had loaded. */
  colorSteps: number;
  colorFilter: string;
  /** The colour that the arrows marked, for Enter; null: the first that the text fits. */
  markedColor: number | null;
  quantity: number;
  /** The next digit is appended instead of replacing the initial 1. */
  quantityTyped: boolean;
  price: string | null;
  bin: Bin | null;
};

export const MAX_QUANTITY = 99_999;

export const emptyCard: Card = {
  text: "",
  seen: null,
  capturedAt: null,
  candidate: 0,
  taken: false,
  colorId: null,
  colorSteps: 0,
  colorFilter: "",
  markedColor: null,
  quantity: 1,
  quantityTyped: false,
  price: null,
  bin: null,
};

export type CardAction =
  | { type: "typed"; text: string }
  /**
   * A picture showed these items: the first one is taken at once, so that Enter adds it, unless
   * no part is seen for sure. What was counted and coloured before the second look at a part still
   * applies.
   */
  | {
      type: "seen";
      items: readonly CatalogItem[];
      isPart?: boolean;
      capturedAt: number;
      isSecond?: boolean;
    }
  /** Another recogniser named more: what was shown keeps its place, and what was chosen stays. */
  | { type: "seenMore"; items: readonly CatalogItem[] }
  | { type: "marked"; candidate: number }
  | { type: "taken"; candidate?: number }
  /** The card of an add that leaves a question: it is taken, for the person to answer. */
  | { type: "asked"; card: Card; quantity: number }
  /** The taken text has no match: back to typing. */
  | { type: "released" }
  | { type: "colorChosen"; colorId: number }
  | { type: "colorMarked"; colorId: number }
  | { type: "colorStepped"; step: number }
  | { type: "colorsFiltered"; text: string }
  | { type: "digit"; digit: number }
  | { type: "digitErased" }
  | { type: "quantitySet"; quantity: number }
  | { type: "priceSet"; price: string | null }
  | { type: "binChosen"; bin: Bin | null }
  | { type: "cleared" };

/** Choices for one match do not apply to another one. */
const unchosen = {
  colorId: null,
  colorSteps: 0,
  colorFilter: "",
  markedColor: null,
  price: null,
  bin: null,
} satisfies Partial<Card>;

export function cardReducer(card: Card, action: CardAction): Card {
  switch (action.type) {
    case "typed": {
      const { quantity } = readText(action.text);
      const typed = { ...emptyCard, text: action.text };
      // The next digit replaces it, like the initial 1.
      return { ...typed, quantity: withQuantity(typed, quantity ?? 1).quantity };
    }
    case "seen": {
      const { quantity, quantityTyped, colorId, colorSteps } = card;
      const kept = action.isSecond ? { quantity, quantityTyped, colorId, colorSteps } : {};
      const { items, capturedAt, isPart = true } = action;
      const candidate = isPart ? 0 : -1;
      return { ...emptyCard, ...kept, seen: items, capturedAt, candidate, taken: isPart };
    }
    case "seenMore": {
      const continues = card.seen?.every(({ id }, index) => action.items[index]?.id === id);
      return continues ? { ...card, seen: action.items } : card;
    }
    case "marked":
      return card.candidate === action.candidate
        ? card
        : { ...card, ...unchosen, candidate: Math.max(0, action.candidate) };
    case "taken": {
      const candidate = action.candidate ?? card.candidate;
      const kept = candidate === card.candidate ? {} : unchosen;
      return { ...card, ...kept, candidate, taken: true };
    }
    case "asked": {
      const asked = { ...action.card, taken: true };
      return asked.quantity === action.quantity ? asked : withQuantity(asked, action.quantity);
    }
    case "released":
      return { ...card, ...unchosen, candidate: 0, taken: false };
    case "colorChosen":
      return { ...card, ...unchosen, colorId: action.colorId };
    case "colorMarked":
      return { ...card, markedColor: action.colorId };
    case "colorStepped":
      return { ...card, colorSteps: card.colorSteps + action.step };
    case "colorsFiltered": {
      const { quantity } = readColor(action.text);
      const filtered = { ...card, colorFilter: action.text, markedColor: null };
      return quantity === null ? filtered : withQuantity(filtered, quantity);
    }
    case "digit":
      return withDigit(card, action.digit);
    case "digitErased":
      return withoutDigit(card);
    case "quantitySet":
      return withQuantity(card, action.quantity);
    case "priceSet":
      return { ...card, price: action.price };
    case "binChosen":
      return { ...card, bin: action.bin };
    case "cleared":
      return emptyCard;
  }
}

/** Whether the card has content: a text, or recognised items. */
export const isBlank = (card: Card): boolean => card.text.trim() === "" && card.seen === null;

/**
 * Whether the person made any choice: then a new picture must not replace the card, unless it was
 * asked for over an untaken text, or as a second look at the part.
 */
export const isTouched = (card: Card): boolean =>
  card.text !== "" ||
  card.quantityTyped ||
  card.colorId !== null ||
  card.colorSteps !== 0 ||
  card.price !== null ||
  card.bin !== null ||
  card.candidate > 0;

/** What is searched for: the typed text without its quantity. */
export const searchText = (card: Card): string => readText(card.text).search;

/** The searched text, for people. */
export const askedText = (card: Card): string =>
  searchText(card) || (card.seen?.[card.candidate]?.item_number ?? "");

/**
 * Splits a number or name with its colour, and a quantity behind it: "3001 red 12". It needs a
 * digit before the last word: "plate 2" is the beginning of a name.
 */
export function readText(text: string): { search: string; quantity: number | null } {
  const search = text.trim();
  const [, named, digits] = /^(.*\d.*\s[^\d\s]{3,})\s+(0*[1-9]\d{0,4})$/.exec(search) ?? [];
  return named && digits ? { search: named, quantity: Number(digits) } : { search, quantity: null };
}

/** The number of a text that goes on with words, which may be its colour: "3001 dark red". */
export const numberBeforeWords = (card: Card): string | null =>
  /^(\S*\d\S*)(?:\s+[^\d\s]+)+$/.exec(searchText(card))?.[1] ?? null;

/** Splits a typed colour and a quantity: "red 12". No colour's name contains a digit. */
export function readColor(text: string): { name: string; quantity: number | null } {
  const [, name = "", digits = ""] = /^(\D*)(\d*)$/.exec(text.trim()) ?? [text, text];
  return { name: name.trim(), quantity: name && digits ? Number(digits) : null };
}

function withDigit(card: Card, digit: number): Card {
  const quantity = card.quantityTyped ? card.quantity * 10 + digit : digit;
  // A quantity has no leading zero; more than five digits come from a scanner, not from a person.
  if (quantity < 1 || quantity > MAX_QUANTITY) return card;
  return { ...card, quantity, quantityTyped: true };
}

function withoutDigit(card: Card): Card {
  const rest = Math.floor(card.quantity / 10);
  return card.quantityTyped && rest > 0
    ? { ...card, quantity: rest }
    : { ...card, quantity: 1, quantityTyped: false };
}

function withQuantity(card: Card, quantity: number): Card {
  const whole = Math.min(MAX_QUANTITY, Math.max(1, Math.round(quantity)));
  return Number.isFinite(whole) ? { ...card, quantity: whole, quantityTyped: true } : card;
}
