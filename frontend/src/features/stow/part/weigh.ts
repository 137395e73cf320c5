import { numberOf } from "@/shared/lib/amounts";
import { MAX_QUANTITY } from "../find/card";

type Weighed = { count: number; rest: number } | { problem: string };

/**
 * The number of pieces of this weight. `rest` is the distance to a whole number, as a share of a
 * piece: from 0 (exact) to 0.5.
 */
export function countOf(gramsText: string, weightGrams: string | null): Weighed {
  const each = Number(weightGrams ?? 0);
  if (!(each > 0)) return { problem: "The catalogue has no weight for this item: count them." };
  const grams = Number(numberOf(gramsText));
  if (gramsText.trim() === "" || !Number.isFinite(grams) || grams <= 0) {
    return { problem: "Type the grams that the scale shows, such as 46.4." };
  }
  const exact = grams / each;
  const count = Math.round(exact);
  if (count < 1) return { problem: "That is less than one piece." };
  if (count > MAX_QUANTITY) return { problem: "That is more than a lot can have." };
  return { count, rest: Math.abs(exact - count) };
}
