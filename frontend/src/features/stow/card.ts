import type { CatalogItem } from "@/features/catalog/public";
import type { Bin } from "./session";

/**
 * The card in front of the person: what is typed, which match is marked, and what was chosen for
 * it. Only choices live here; what the server knows of the item stays in the query cache, and
 * null means "as proposed": the first colour, the reference price, the recommended bin.
 */
export type Card = {
  /** Number or name as typed. */
  text: string;
  /** What was recognised on a picture, in place of a text; null: it is typed. */
  seen: readonly CatalogItem[] | null;
  /** When that picture was taken, in milliseconds: the stopwatch runs from there. */
  capturedAt: number | null;
  /** Which match is marked, from 0. */
  candidate: number;
  /** Enter took the match: typing is over, digits are a quantity now. */
  taken: boolean;
  colorId: number | null;
  /** Steps with ↑ ↓ that were made before the colours were there. */
  colorSteps: number;
  colorFilter: string;
  quantity: number;
  /** The next digit appends instead of replacing the 1 that everything begins with. */
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
  quantity: 1,
  quantityTyped: false,
  price: null,
  bin: null,
};

export type CardAction =
  | { type: "typed"; text: string }
  /** A picture showed these: the first one is taken at once, so that Enter adds it. */
  | { type: "seen"; items: readonly CatalogItem[]; capturedAt: number }
  | { type: "marked"; candidate: number }
  | { type: "taken"; candidate?: number }
  /** The taken text matched nothing: back to typing. */
  | { type: "released" }
  | { type: "colorChosen"; colorId: number }
  | { type: "colorStepped"; step: number }
  | { type: "colorsFiltered"; text: string }
  | { type: "digit"; digit: number }
  | { type: "digitErased" }
  | { type: "quantitySet"; quantity: number }
  | { type: "priceSet"; price: string | null }
  | { type: "binChosen"; bin: Bin | null }
  | { type: "cleared" };

/** What was chosen for one match says nothing about another one. */
const unchosen = {
  colorId: null,
  colorSteps: 0,
  colorFilter: "",
  price: null,
  bin: null,
} satisfies Partial<Card>;

export function cardReducer(card: Card, action: CardAction): Card {
  switch (action.type) {
    case "typed":
      return { ...emptyCard, text: action.text };
    case "seen":
      return { ...emptyCard, seen: action.items, capturedAt: action.capturedAt, taken: true };
    case "marked":
      return card.candidate === action.candidate
        ? card
        : { ...card, ...unchosen, candidate: Math.max(0, action.candidate) };
    case "taken": {
      const candidate = action.candidate ?? card.candidate;
      const kept = candidate === card.candidate ? {} : unchosen;
      return { ...card, ...kept, candidate, taken: true };
    }
    case "released":
      return { ...card, ...unchosen, candidate: 0, taken: false };
    case "colorChosen":
      return {
        ...card,
        colorId: action.colorId,
        colorSteps: 0,
        colorFilter: "",
        price: null,
        bin: null,
      };
    case "colorStepped":
      return { ...card, colorSteps: card.colorSteps + action.step };
    case "colorsFiltered": {
      const { quantity } = readColor(action.text);
      const filtered = { ...card, colorFilter: action.text };
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

/** Whether there is anything on it: a text, or what a picture showed. */
export const isBlank = (card: Card): boolean => card.text.trim() === "" && card.seen === null;

/** Whether the person chose anything: then another picture must not take its place. */
export const isTouched = (card: Card): boolean =>
  card.text !== "" ||
  card.quantityTyped ||
  card.colorId !== null ||
  card.colorSteps !== 0 ||
  card.price !== null ||
  card.bin !== null ||
  card.candidate > 0;

/** What was asked for, as a person would say it. */
export const askedText = (card: Card): string =>
  card.text.trim() || (card.seen?.[card.candidate]?.item_number ?? "");

/** What is typed of a colour, and how many behind it: "red 12". No colour's name has a digit. */
export function readColor(text: string): { name: string; quantity: number | null } {
  const [, name = "", digits = ""] = /^(\D*)(\d*)$/.exec(text.trim()) ?? [text, text];
  return { name: name.trim(), quantity: name && digits ? Number(digits) : null };
}

function withDigit(card: Card, digit: number): Card {
  const quantity = card.quantityTyped ? card.quantity * 10 + digit : digit;
  // A quantity has no leading zero, and more than five digits are a scanner's, not a person's.
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

/** The index `steps` away, going round. -1 for a list without entries. */
export function stepped(index: number, steps: number, length: number): number {
  return length === 0 ? -1 : (((index + steps) % length) + length) % length;
}
