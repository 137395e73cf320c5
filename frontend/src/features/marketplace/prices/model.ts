/** Getting the prices of many lots, as the wire spells it. */
import { counted } from "@/shared/lib/format";

export type PriceRun = {
  job_id: string | null;
  state: "none" | "queued" | "running" | "succeeded" | "failed" | "cancelled";
  /** What it waits for, or why it failed. */
  message: string;
  lots_done: number;
  lots_left: number;
  /** Those that the marketplace does not know. */
  lots_failed: number;
  /** When it goes on by itself, while it waits. */
  waitsUntil: string | null;
  expectedAt: string | null;
  /** Percent of a day's calls that it may use. */
  share: number;
  calls_a_day: number;
  calls_left_today: number;
};

/** What came of asking for the prices of lots. */
export type WantedPrices = PriceRun & {
  lots_wanted: number;
  /** Their figures are of the last days. */
  lots_known: number;
  lots_unknown: number;
};

/** Whose prices to get: an endpoint, and what it takes. */
export type PricesOf = { endpoint: string; body: object };

export const RUN = "marketplace/priceRun";

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
