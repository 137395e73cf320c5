/** Ranges as they are typed into a filter: "5", "5-10", ">=5", "<10". Pure. */

import { numberOf } from "@/shared/lib/amounts";
import { numberText, readNumber } from "@/shared/lib/numbers";

export type Range = { from: string; to: string };

const NUMBER = String.raw`[\d,]*\.?[\d,]*\d`;
const ONE = new RegExp(`^(>=|<=|≥|≤|>|<|=)?\\s*(${NUMBER})$`);
const TWO = new RegExp(`^(${NUMBER})?\\s*(?:-|–|\\.\\.)\\s*(${NUMBER})?$`);
const isNumber = (text = "") => text === "" || "value" in readNumber(text);
const plain = (text = "") => (text === "" ? "" : numberOf(text));

/**
 * Both ends are inclusive, so ">5" and "<5" mean ">=5" and "<=5". Null for a text that is no range.
 */
export function readRange(text: string): Range | null {
  const trimmed = text.trim();
  if (trimmed === "") return { from: "", to: "" };
  const one = ONE.exec(trimmed);
  if (one) {
    const [, sign = "=", number] = one;
    if (!isNumber(number)) return null;
    const value = plain(number);
    if (sign === "=") return { from: value, to: value };
    return /[>≥]/.test(sign) ? { from: value, to: "" } : { from: "", to: value };
  }
  const two = TWO.exec(trimmed);
  if (!two || (!two[1] && !two[2]) || !isNumber(two[1]) || !isNumber(two[2])) return null;
  return { from: plain(two[1]), to: plain(two[2]) };
}

export function writeRange(range: Range): string {
  const [from, to] = [numberText(range.from), numberText(range.to)];
  if (from && to) return from === to ? from : `${from}–${to}`;
  if (from) return `≥ ${from}`;
  return to ? `≤ ${to}` : "";
}
