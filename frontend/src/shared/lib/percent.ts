/** Percentages as people type them. */

/** Why a text is no percentage to change prices by, or null. */
export function whyNotPercent(text: string): string | null {
  const trimmed = text.trim();
  if (!/^[+-]?\d{1,4}([.,]\d{1,2})?\s*%?$/.test(trimmed)) return "A number such as -10 or 7.5.";
  return Number(percentOf(trimmed)) <= -100 ? "More than -100." : null;
}

/** A typed percentage as the wire carries it. */
export const percentOf = (text: string): string =>
  text.trim().replace(",", ".").replace(/[%+]/g, "").trim();
