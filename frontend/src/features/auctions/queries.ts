import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { AuctionSite, AuctionWorth, Listing, ListingFilters, SavedSearch } from "./model";

export const PAGE_SIZE = 24;
const ENDING_SOON_MS = 30 * 60_000;

export const auctionQueries = {
  all: () => ["auctions"] as const,
  lists: () => ["auctions", "listings"] as const,
  listings: (filters: ListingFilters, onlyMyBids: boolean) =>
    queryOptions({
      queryKey: ["auctions", "listings", filters, onlyMyBids],
      queryFn: ({ signal }) =>
        api.get<Listing>("auctionListings", listingParams(filters, onlyMyBids), { signal }),
      placeholderData: keepPreviousData,
    }),
  /** Up to where bids on these make sense; reckoned anew when one of them changed. */
  worth: (listings: readonly Listing[]) =>
    queryOptions({
      queryKey: ["auctions", "worth", listings.map(({ id, updatedAt }) => `${id} ${updatedAt}`)],
      queryFn: async ({ signal }) => {
        const ids = listings.map(({ id }) => id).join(",");
        return one(await api.get<AuctionWorth>("auctionWorth", { ids }, { signal }));
      },
      enabled: listings.length > 0,
      placeholderData: keepPreviousData,
    }),
  /** What the person watches or bids on and ends within two hours, on whatever page it is. */
  endingSoon: () =>
    queryOptions({
      queryKey: ["auctions", "listings", "ending soon"],
      queryFn: async ({ signal }) =>
        (
          await api.get<Listing>(
            "auctionListings",
            { ends_within_hours: 2, page_size: 100, ordering: "end_time" },
            { signal },
          )
        ).data,
      refetchInterval: ENDING_SOON_MS,
    }),
  searches: () =>
    queryOptions({
      queryKey: ["auctions", "searches"],
      queryFn: async ({ signal }) =>
        (await api.get<SavedSearch>("auctionSearches", { page_size: 100 }, { signal })).data,
    }),
  site: () =>
    queryOptions({
      queryKey: ["auctions", "site"],
      queryFn: async ({ signal }) =>
        one(await api.get<AuctionSite>("auctionSite", undefined, { signal })),
    }),
};

function listingParams(filters: ListingFilters, onlyMyBids: boolean) {
  const { search, ordering, kind, within, show_ended, show_rejected, watch, page } = filters;
  return {
    page,
    page_size: PAGE_SIZE,
    ordering,
    ...(search && { search }),
    ...(kind && { kind }),
    ...(within && { ends_within_hours: Number(within) }),
    ...(show_ended && { show_ended }),
    ...(show_rejected && { show_rejected }),
    ...(watch && { watch: "watching" }),
    ...(onlyMyBids && { my_bids: true }),
  };
}
