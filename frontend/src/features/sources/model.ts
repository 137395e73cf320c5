/** Where batches come from: an auction site, a market, a friend. */
export type Source = {
  id: number;
  name: string;
  notes: string;
  createdAt: string;
  updatedAt: string;
};

/** Names to begin with, one click each. */
export const SUGGESTED_SOURCES = ["Auction site", "Flea market", "Friends and family"] as const;
