import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Batch, batchQueries } from "@/features/batches/public";
import { followJob } from "@/features/jobs/public";
import { sourceQueries } from "@/features/sources/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { problemText } from "@/shared/lib/problem";
import { toast } from "@/shared/ui/toast";
import type { AuctionSite, BuyerOptions, Listing, ListingDecisions, SavedSearch } from "./model";
import { auctionQueries } from "./queries";

function useRefreshed() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: auctionQueries.all() });
}

/** Asks the site about one listing: `refresh` as it is now, `shipping` what it costs to send. */
export function useAsk(listing: Listing, question: "refresh" | "shipping") {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: async () =>
      one(await api.post<Listing>(`auctionListings/${listing.id}/${question}`, {})),
    onSuccess: refreshed,
    onError: (error) => toast.error(problemText(error)),
  });
}

export function useDecide(listing: Listing) {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: async (decisions: ListingDecisions) =>
      one(await api.patch<Listing>(`auctionListings/${listing.id}`, decisions)),
    onSuccess: refreshed,
  });
}

/** Makes the batch of a won listing; pressed twice it is the same one. */
export function useMakeBatch() {
  const client = useQueryClient();
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: async (values: {
      listing_id: number;
      name: string;
      source_id?: number | null;
      cost_total: string | null;
    }) => one(await api.post<Batch>("batches/fromListing", values)),
    onSuccess: async () => {
      await Promise.all([
        refreshed(),
        client.invalidateQueries({ queryKey: batchQueries.all() }),
        client.invalidateQueries({ queryKey: sourceQueries.all() }),
      ]);
    },
  });
}

export function useDeleteListing() {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: (id: number) => api.delete(`auctionListings/${id}`),
    onSuccess: refreshed,
  });
}

/** Runs the saved searches as a job; its toast tells how far it is. */
export function useRefreshAll() {
  return useMutation({
    mutationFn: async (_: { isUnasked: boolean }) =>
      one(await api.post<{ id: string }>("auctionListings/refresh", {})),
    onSuccess: (job) => followJob(job.id),
    onError: (error, { isUnasked }) => {
      if (!isUnasked) toast.error(problemText(error));
    },
  });
}

export function useAddByLink() {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: async (link: string) =>
      one(await api.post<Listing>("auctionListings/byLink", { link })),
    onSuccess: refreshed,
  });
}

export function useEnterListing() {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: async (values: Record<string, string | null>) =>
      one(await api.post<Listing>("auctionListings", values)),
    onSuccess: refreshed,
  });
}

export function useSaveSearch() {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: async (text: string) =>
      one(await api.post<SavedSearch>("auctionSearches", { text })),
    onSuccess: refreshed,
  });
}

export function useEditSearch() {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: async ({ id, ...changes }: { id: number; is_active: boolean }) =>
      one(await api.patch<SavedSearch>(`auctionSearches/${id}`, changes)),
    onSuccess: refreshed,
    onError: (error) => toast.error(problemText(error)),
  });
}

export function useDeleteSearch() {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: (id: number) => api.delete(`auctionSearches/${id}`),
    onSuccess: refreshed,
  });
}

export function useSetBuyerOptions() {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: async (options: BuyerOptions) =>
      one(await api.patch<AuctionSite>("auctionSite", options)),
    onSuccess: refreshed,
  });
}
