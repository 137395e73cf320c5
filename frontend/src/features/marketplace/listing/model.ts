/** Listing as the server sends it. */

/** Where new lots go: "" for buyers to see, A to C hidden; null: as each lot says itself. */
export type Stockroom = "" | "A" | "B" | "C" | null;

export type ListingStarted = { job_id: string; item_count: number };

/** What a listing is of: items of a batch, rows of stock, or rows that are taken off sale. */
export type ListingAct = "items" | "stock" | "unlist";

/** An item or row that was not done; of an unknown one the store has yet to say. */
export type UnlistedItem = {
  id: number;
  name: string;
  reason: string;
  outcome?: "rejected" | "unknown";
};
