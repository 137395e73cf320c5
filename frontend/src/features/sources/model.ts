/** Where batches come from: an auction site, a market, a friend. */
export type Source = {
  id: number;
  name: string;
  notes: string;
  batch_count: number;
  lot_count: number;
  piece_count: number;
  /** What its batches cost; null while no cost is known. */
  spent: string | null;
  value: string;
  lots_without_price: number;
  /** Value ÷ cost, over the batches whose cost is known. */
  return_on_cost: string | null;
  price_per_kg: string | null;
  /** Part of what came that was not LEGO; null: counted of none of its batches. */
  foreign_share: string | null;
  createdAt: string;
  updatedAt: string;
};

/** A batch as its source's panel shows it. */
export type SourceBatch = {
  id: number;
  name: string;
  cost_total: string | null;
  gross_weight: string | null;
  stats: { total_value: string; lots_without_price: number };
  created_at: string;
};

/** Names to begin with, one click each. */
export const SUGGESTED_SOURCES = ["Auction site", "Flea market", "Friends and family"] as const;
