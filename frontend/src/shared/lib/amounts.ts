/** Quantities and prices as people type them. The server has the last word. */
import { formatCount } from "./format";

const MOST_PIECES = 9_999_999;

/** Why a text is no quantity, or null. */
export function whyNotQuantity(text: string): string | null {
  const trimmed = text.trim();
  if (!/^\d+$/.test(trimmed)) return "A whole number, 0 or more.";
  return Number(trimmed) > MOST_PIECES ? "At most 9,999,999." : null;
}

/** Why a text is no price, or null. Four places, as the marketplaces keep them. */
export function whyNotPrice(text: string): string | null {
  return /^\d{1,8}([.,]\d{1,4})?$/.test(text.trim())
    ? null
    : "An amount such as 0.12, up to four places.";
}

/** A typed price as the wire carries it. */
export const priceOf = (text: string): string => text.trim().replace(",", ".");

/** Why this is no whole number of the range, or null. */
export function whyNotWhole(text: string, least: number, most: number): string | null {
  const number = Number(text);
  return /^-?\d+$/.test(text.trim()) && number >= least && number <= most
    ? null
    : `A whole number from ${least} to ${formatCount(most)}.`;
}
