export type ShippingRate = {
  method: string;
  cost: string;
  /** How long delivery takes, where the site says it. */
  time: string | null;
  calculatedAt: string | null;
};
export type ListingStatus =
  | "open"
  | "watching"
  | "rejected"
  | "leading"
  | "outbid"
  | "ended"
  | "won"
  | "lost";

/** An auction listing as the server sends it. Money in dollars, decimal strings. */
export type Listing = {
  id: number;
  origin: "site" | "entered";
  external_id: string;
  title: string;
  description: string;
  seller: string;
  location: string;
  image_url: string;
  listing_url: string;
  current_price: string;
  minimum_bid: string | null;
  buy_it_now_price: string | null;
  bid_count: number;
  highest_bidder: string;
  end_time: string | null;
  time_remaining: string;
  is_auction: boolean;
  has_buy_it_now: boolean;
  is_pickup_only: boolean;
  weight_grams: string | null;
  /** Empty while shipping is unknown: never free by silence. */
  shipping_rates: ShippingRate[];
  handling_cost: string | null;
  landed_cost: string | null;
  landed_per_kg: string | null;
  status: ListingStatus;
  watch: "" | "watching" | "rejected";
  my_bid: string | null;
  max_bid: string | null;
  note: string;
  outcome: "" | "won" | "lost";
  /** The batch that was made of it once it was won. */
  batch_id: number | null;
  batch_name: string | null;
  checkedAt: string | null;
  created_at: string;
  updated_at: string;
  updatedAt: string;
};

export type ListingDecisions = Partial<
  Pick<Listing, "watch" | "my_bid" | "max_bid" | "note" | "outcome" | "weight_grams">
>;

export type SavedSearch = {
  id: number;
  text: string;
  is_active: boolean;
  found_count: number;
  problem: string;
  runAt: string | null;
};

export type AuctionSite = {
  name: string;
  is_on: boolean;
  is_demo: boolean;
  haltedUntil: string | null;
  halted_because: string;
  tax_percent: string;
  /** What marketplace and payment take of a sale. */
  fee_percent: string;
  /** What an hour of sorting is worth, in dollars. */
  hourly_rate: string;
};

export type BuyerOptions = Pick<AuctionSite, "tax_percent" | "fee_percent" | "hourly_rate">;

/** What a kilogram of the person's own batches brought. */
export type WorthBasis = {
  batches: number;
  /** Empty: batches of all sources. */
  source_name: string;
  value_per_kg: string;
  /** Null: nobody's time is known. */
  minutes_per_kg: string | null;
  fee_percent: string;
  hourly_rate: string;
  net_per_kg: string;
};

export type ListingWorth = {
  id: number;
  /** What it may cost landed. */
  worth: string;
  /** Null while shipping is unknown. */
  highest_bid: string | null;
  rests_on: "of_site" | "of_all";
};

/** A listing's worth, and why it is that. */
export type Worth = ListingWorth & { reason: string };

export type AuctionWorth = {
  of_site: WorthBasis | null;
  of_all: WorthBasis | null;
  listings: ListingWorth[];
};

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
