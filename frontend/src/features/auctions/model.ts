import type { BodyOf, Schema } from "@/shared/api/wire";

export type ListingStatus = Schema<"AuctionStatus">;

/** An auction listing as the server sends it. Money in dollars, decimal strings. */
export type Listing = Schema<"ListingRow">;

export type ListingDecisions = Partial<
  Pick<
    BodyOf<"patch", "auctionListings/{id}">,
    "watch" | "my_bid" | "max_bid" | "note" | "outcome" | "weight_grams"
  >
>;

export type SavedSearch = Schema<"SearchRow">;

export type AuctionSite = Schema<"AuctionSiteRow">;

export type BuyerOptions = Pick<AuctionSite, "tax_percent" | "fee_percent" | "hourly_rate">;

/** What a kilogram of the person's own batches brought. */
export type WorthBasis = Schema<"WorthBasis">;

export type ListingWorth = Schema<"ListingWorth">;

/** A listing's worth, and why it is that. */
export type Worth = ListingWorth & { reason: string };

export type AuctionWorth = Schema<"AuctionWorthRow">;

/** A row of the table. */
export type WorthyListing = Listing & { worth: Worth | null };

/** What listings are narrowed by: in the address, as the endpoint names it. */
export const LISTING_FILTERS = [
  "kind",
  "ends_within_hours",
  "max_landed",
  "max_per_kg",
  "has_shipping",
  "location",
  "new_since",
  "watch",
  "show_rejected",
  "show_ended",
] as const;
export type ListingFilter = (typeof LISTING_FILTERS)[number];
