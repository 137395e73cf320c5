import { numberOf, whyNotPieces } from "@/shared/lib/amounts";
import { counted } from "@/shared/lib/format";
import type { UserSet } from "./model";

/** "Modular Buildings" of "Creator / Modular Buildings". */
export const lastTheme = (path: string): string => path.split(" / ").at(-1) || "–";

export const pieces = (count: number): string => counted(count, "piece");

export const lots = (count: number): string => counted(count, "lot");

const MOST_OF_A_SET = 1000;

/** Why a text is no number of sets, or null. */
export function whyNotSetCount(text: string): string | null {
  return whyNotPieces(text, MOST_OF_A_SET);
}

/** Why a text is no number of pieces on hand, or null. The server knows how many are required. */
export const whyNotOnHand = (text: string): string | null =>
  /^\d+$/.test(numberOf(text)) ? null : "A whole number, 0 or more.";

/** The set numbers of a pasted text. */
export const numbersIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

/** Why a set cannot be sold as one, or null: what is for sale lacks nothing, or was never opened. */
export function whyNotSell({ state, sub_condition }: UserSet): string | null {
  if (state === "for_sale") return "It is for sale already";
  if (state === "sold") return "It is sold";
  return state === "complete" || sub_condition === "M" ? null : "Complete it first";
}
