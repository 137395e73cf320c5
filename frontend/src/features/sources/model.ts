import type { Schema } from "@/shared/api/wire";

/** Where batches come from: an auction site, a market, a friend. */
export type Source = Schema<"SourceRow">;

/** A batch as its source's panel shows it. */
export type SourceBatch = Pick<
  Schema<"BatchRow">,
  "id" | "name" | "cost_total" | "gross_weight" | "created_at"
> & { stats: Pick<Schema<"StatsRow">, "total_value" | "total_lots" | "lots_without_price"> };

/** Names to begin with, one click each. */
export const SUGGESTED_SOURCES = ["Auction site", "Flea market", "Friends and family"] as const;
