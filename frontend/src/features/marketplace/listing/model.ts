/** Listing as the server sends it. */
import type { Schema } from "@/shared/api/wire";

/** Where new lots go: "" for buyers to see, A to C hidden; null: as each lot says itself. */
export type Stockroom = "" | "A" | "B" | "C" | null;

/** What a listing is of: items of a batch, rows of stock, or rows that are taken off sale. */
export type ListingAct = Schema<"ActEnum">;

/** An item or row that was not done; of an unknown one the store has yet to say. */
export type UnlistedItem = {
  id: number;
  name: string;
  reason: string;
  outcome?: "rejected" | "unknown";
};
