/** Getting the prices of many lots, as the wire spells it. */
import type { BodyOf, RowOf } from "@/shared/api/wire";
import { counted } from "@/shared/lib/format";

export type PriceRun = RowOf<"get", "marketplace/priceRun">;

/** What came of asking for the prices of lots. */
export type WantedPrices = RowOf<"post", "marketplace/priceRun">;

/** Whose prices to get: where that is asked, and what it takes. */
export type PricesOf =
  | { of: "lots"; body: BodyOf<"post", "marketplace/priceRun"> }
  | { of: "partOut"; body: BodyOf<"post", "batches/partOut/prices"> }
  | { of: "batch"; id: number; body: BodyOf<"post", "batches/{id}/getPrices"> };

export const isLive = ({ state }: PriceRun): boolean => state === "queued" || state === "running";

/** What came of asking, in one or two sentences. */
export function wantedText(told: WantedPrices): { words: string; detail?: string } {
  const { lots_wanted: wanted, lots_known: known, lots_unknown: unknown } = told;
  const notes = [
    known > 0 && `${counted(known, "lot")} known already`,
    unknown > 0 && `${counted(unknown, "lot")} unknown to the marketplace`,
  ].filter((note) => note !== false);
  if (wanted === 0) {
    return { words: "No price is missing", detail: notes.join(", ") || undefined };
  }
  return {
    words: `Getting the prices of ${counted(wanted, "lot")}`,
    detail: notes.join(", ") || undefined,
  };
}
