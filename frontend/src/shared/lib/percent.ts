/** Percentages as people type them. */
import { numberOf } from "./amounts";
import { formatNumber } from "./format";

/** Why a text is not a valid percentage for a price change, or null. */
export function whyNotPercent(text: string): string | null {
  const percent = percentOf(text);
  if (!/^-?\d{1,4}(\.\d{1,2})?$/.test(percent))
    return `A number such as -10 or ${formatNumber(7.5, 1)}.`;
  return Number(percent) <= -100 ? "More than -100." : null;
}

/** A typed percentage as the wire carries it. */
export const percentOf = (text: string): string => numberOf(text.trim().replace(/\s*%$/, ""));
