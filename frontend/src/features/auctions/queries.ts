import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { AuctionSite, Listing, ListingFilters, SavedSearch } from "./model";

export const PAGE_SIZE = 24;

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
  const { search, ordering, kind, show_ended, show_rejected, watch, page } = filters;
  return {
    page,
    page_size: PAGE_SIZE,
    ordering,
    ...(search && { search }),
    ...(kind && { kind }),
    ...(show_ended && { show_ended }),
    ...(show_rejected && { show_rejected }),
    ...(watch && { watch: "watching" }),
    ...(onlyMyBids && { my_bids: true }),
  };
}
