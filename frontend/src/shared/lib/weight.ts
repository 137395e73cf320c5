/** Weights as people type them, and in grams as the API takes them. */

import { counted, formatWeight } from "./format";
import { numberText, readNumber } from "./numbers";

const GRAMS: Record<string, number> = { g: 1, kg: 1000, oz: 28.349523125, lb: 453.59237 };
const SHAPE = /^([\d.,'’\s]+?)\s*(g|kg|oz|lb|lbs)?$/i;

/**
 * Grams of "250", "250 g", "1.2 kg", "8 oz" or "2 lb", as a decimal string with at most four
 * places; null for blank text, undefined for unreadable text.
 */
export function parseWeight(text: string): string | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const [, amount = "", unit = "g"] = trimmed.match(SHAPE) ?? [];
  const grams = GRAMS[unit.toLowerCase().replace("lbs", "lb")];
  if (amount === "" || grams === undefined) return undefined;
  const read = readNumber(amount);
  if ("problem" in read) return undefined;
  const value = Number(read.value) * grams;
  return String(Math.round(value * 10_000) / 10_000);
}

/** Grams of the API as text to edit: "1250 g"; blank for null. */
export function weightText(grams: string | number | null | undefined): string {
  return grams === null || grams === undefined || grams === ""
    ? ""
    : `${numberText(Number(grams))} g`;
}

/**
 * "14 pieces without a weight": the pieces that the weight of a bin does not include; empty where
 * there are none.
 */
export const unweighedText = (pieces: number): string =>
  pieces > 0 ? `${counted(pieces, "piece")} without a weight` : "";

/** "1.2 kg, 14 pieces without a weight": the weight of a bin's contents. */
export function storedWeightText(place: {
  stored_weight: string;
  unknown_weight_count: number;
}): string {
  const leftOut = unweighedText(place.unknown_weight_count);
  if (leftOut && Number(place.stored_weight) === 0) return leftOut;
  return formatWeight(place.stored_weight) + (leftOut && `, ${leftOut}`);
}

export const WEIGHT_HINT = "250, 1.2 kg, 8 oz or 2 lb";
