/** Quantities and prices as people type them. The server decides. */
import { formatCount } from "./format";
import { numberFormat, readNumber } from "./numbers";

export const MOST_PIECES = 9_999_999;
/** Digits of an amount before and after its decimal point, as the server stores them. */
const WHOLE_DIGITS = 8;
const PLACES = 4;

/** Why a text is not a quantity, or null. */
export function whyNotQuantity(text: string): string | null {
  return whyNotFrom(text, 0, MOST_PIECES, "A whole number, 0 or more.");
}

/** Why a text is not a quantity of 1 or more, or null. */
export function whyNotPieces(text: string, most = MOST_PIECES): string | null {
  return whyNotFrom(text, 1, most, "A whole number, 1 or more.");
}

/** Why a text is not a whole number within the range, or null. */
export function whyNotWhole(text: string, least: number, most: number): string | null {
  const expected = `A whole number from ${formatCount(least)} to ${formatCount(most)}.`;
  return whyNotFrom(text, least, most, expected) && expected;
}

function whyNotFrom(text: string, least: number, most: number, expected: string): string | null {
  const read = readNumber(text);
  if ("problem" in read) return expected;
  const number = Number(read.value);
  // "3.0" is 3, as in files; "10,00" may be a thousand with a digit lost, "1.000" a thousand.
  const isClear = text.includes(".") && !text.trim().endsWith(".000");
  const isWhole = Number.isInteger(number) && (!read.value.includes(".") || isClear);
  if (number < least || !isWhole) return expected;
  return number > most ? `At most ${formatCount(most)}.` : null;
}

/** A typed whole number that has been checked. */
export const wholeOf = (text: string): number => Number(numberOf(text));

/** Why a text is not a price, or null. Four decimal places, as marketplaces store them. */
export function whyNotPrice(text: string): string | null {
  const example = numberFormat({ maximumFractionDigits: 2 }).format(0.12);
  return decimalOf(WHOLE_DIGITS, PLACES, `An amount such as ${example}, up to four places.`)(text);
}

/** A typed price as the wire carries it. */
export const priceOf = (text: string): string => numberOf(text);

/**
 * A typed number as the API takes it. Text that is not a number is returned unchanged, and the
 * server refuses it.
 */
export function numberOf(text: string): string {
  const read = readNumber(text);
  return "value" in read ? read.value : text.trim();
}

/**
 * Whether a text is a number of 0 or more with at most this many digits before and after its
 * decimal point.
 */
export function isDecimal(text: string, wholeDigits: number, places: number): boolean {
  const read = readNumber(text);
  if ("problem" in read || read.value.startsWith("-")) return false;
  const [whole = "", part = ""] = read.value.split(".");
  return whole.length <= wholeDigits && part.length <= places;
}

/** A check of such a number that reports the expected format. */
export const decimalOf =
  (wholeDigits: number, places: number, expected: string) =>
  (text: string): string | null =>
    isDecimal(text, wholeDigits, places) ? null : (signsProblem(text) ?? expected);

/** A typed number as the wire carries it, null for nothing. */
export const numberOrNull = (text: string): string | null =>
  text.trim() === "" ? null : numberOf(text);

function signsProblem(text: string): string | null {
  const read = readNumber(text);
  return "problem" in read && /[.,]/.test(text) ? read.problem : null;
}

/** A check of an optional value. */
export const optionally =
  (check: (text: string) => string | null) =>
  (text: string): string | null =>
    text.trim() === "" ? null : check(text);

/**
 * The typed amount that replaces `was`, null for blank text. An equal amount returns `was`
 * unchanged.
 */
export function typedPrice(text: string, was: string | null): string | null {
  if (text.trim() === "") return null;
  return was !== null && Number(priceOf(text)) === Number(was) ? was : priceOf(text);
}

/** A typed price per piece; null for blank text, undefined if it is not an amount. */
export function readPrice(text: string): string | null | undefined {
  if (text.trim() === "") return null;
  return whyNotPrice(text) === null ? priceOf(text) : undefined;
}

/** "0.1200" as 0.12, "0.1234" unchanged: two places, more where they are not zero. */
export function shortPrice(price: string): string {
  return numberFormat({
    minimumFractionDigits: price.includes(".") ? 2 : 0,
    maximumFractionDigits: 4,
    useGrouping: false,
  }).format(Number(price));
}
