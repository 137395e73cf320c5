import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, type CallConfig } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { queryOne, queryRows } from "@/shared/api/queries";
import { memberOf, rowsWith } from "@/shared/lib/records";
import type { ListParams, RowSource } from "@/shared/table/column";
import type { AuctionWorth, Listing, Worth, WorthyListing } from "./model";
import { worthReason } from "./rules";

/** The id of the table of listings, whose history has what was done to them. */
export const LISTINGS = "auctionListings";

/** Rows of four, three and two cards are full. */
export const PAGE_SIZE = 24;
const ENDING_SOON_MS = 30 * 60_000;
/** As many ids as the server takes at once. */
const MOST_IDS = 100;

const fetchWorth = async (listings: readonly Listing[], config: CallConfig) => {
  const ids = listings.map(({ id }) => id).join(",");
  return one(await api.get("auctionWorth", { query: { ids }, ...config }));
};

export const auctionQueries = {
  lists: () => ["auctions", "listings"] as const,
  listings: (params: ListParams, onlyMyBids: boolean) =>
    queryOptions({
      queryKey: ["auctions", "listings", "gallery", params, onlyMyBids],
      queryFn: ({ signal }) => fetchListings(params, onlyMyBids, signal),
      placeholderData: keepPreviousData,
    }),
  /** One of them, as it is after it was asked about. */
  listing: (shown: Listing) => ({
    ...queryOne(["auctions", "listing", shown.id], "auctionListings/{id}", {
      path: { id: shown.id },
    }),
    initialData: shown,
  }),
  /** The highest bids worth making on these; calculated again when one of them changed. */
  worth: (listings: readonly Listing[]) =>
    queryOptions({
      queryKey: ["auctions", "worth", listings.map(({ id, updatedAt }) => `${id} ${updatedAt}`)],
      queryFn: ({ signal }) => fetchWorth(listings, { signal }),
      enabled: listings.length > 0,
      placeholderData: keepPreviousData,
    }),
  /**
   * Listings that the person watches or bids on and that end within two hours, from all pages of
   * the list.
   */
  endingSoon: () => ({
    ...queryRows(["auctions", "listings", "ending soon"], "auctionListings", {
      query: { ends_within_hours: 2, page_size: 100, ordering: "end_time" },
    }),
    refetchInterval: ENDING_SOON_MS,
    // Alerts are for those who look elsewhere.
    refetchIntervalInBackground: true,
  }),
  /** What is watched, for alerts while another page is open. */
  watched: () =>
    queryOptions({
      ...queryRows(["auctions", "listings", "watched"], "auctionListings", {
        query: { watch: "watching", page_size: 100, ordering: "end_time" },
      }),
      // Nothing watched: not asked again until a listing is changed here.
      refetchInterval: ({ state }) => (state.data?.length === 0 ? false : ENDING_SOON_MS),
      refetchIntervalInBackground: true,
      refetchOnWindowFocus: false,
    }),
  searches: () =>
    queryRows(["auctions", "searches"], "auctionSearches", { query: { page_size: 100 } }),
  site: () => queryOne(["auctions", "site"], "auctionSite"),
};

const fetchListings = (params: ListParams, onlyMyBids: boolean, signal: AbortSignal) =>
  api.get("auctionListings", {
    query: onlyMyBids ? { my_bids: true } : {},
    filters: params,
    signal,
  });

/** The table's rows: listings with what each is worth. */
export const listingRows = (onlyMyBids: boolean): RowSource<WorthyListing> => ({
  key: ["auctions", "listings", "table", onlyMyBids],
  fetch: async (params, signal) => {
    const answer = await fetchListings(params, onlyMyBids, signal);
    const worth = await worthOfAll(answer.data, signal);
    return {
      ...answer,
      data: answer.data.map((row) => ({ ...row, worth: worth.get(row.id) ?? null })),
    };
  },
});

/** The worth of listings, by their ids; of none where it is unknown. */
async function worthOfAll(listings: readonly Listing[], signal: AbortSignal) {
  const found = new Map<number, Worth>();
  for (let first = 0; first < listings.length; first += MOST_IDS) {
    const some = listings.slice(first, first + MOST_IDS);
    const told = await fetchWorth(some, { signal, retry: false }).catch(() => null);
    // A list without what it is worth is better than none.
    if (told === null) break;
    for (const [id, worth] of worthById(told)) found.set(id, worth);
  }
  return found;
}

/** Of each listing, up to where a bid makes sense, and why. */
export function worthById(told: AuctionWorth | undefined): ReadonlyMap<number, Worth> {
  const found = new Map<number, Worth>();
  for (const one of told?.listings ?? []) {
    const basis = told?.[one.rests_on];
    if (basis) found.set(one.id, { ...one, reason: worthReason(one, basis) });
  }
  return found;
}

/** The listings in sight, in cards or in the table. */
export function shownIds(client: QueryClient): number[] {
  const ids = client
    .getQueryCache()
    .findAll({ queryKey: auctionQueries.lists(), type: "active" })
    .flatMap(({ state }) => {
      return rowsWith<Listing>(memberOf(state.data, "data"), "id").map(({ id }) => id);
    });
  return [...new Set(ids)];
}
