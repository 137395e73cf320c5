import {
  type MutationMeta,
  useMutation,
  useMutationState,
  useQueryClient,
} from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { type Answer, one } from "@/shared/api/envelope";
import { ApiError } from "@/shared/api/errors";
import type { BodyOf } from "@/shared/api/wire";
import { partOf, rowsWith } from "@/shared/lib/records";
import { invalidate } from "@/shared/lib/tags";
import { savesRow } from "@/shared/outbox/unsent";
import type { BuyerOptions, Listing, ListingDecisions } from "./model";
import { shownIds } from "./queries";

function useRefreshed() {
  const client = useQueryClient();
  return () => invalidate(client, "auctions");
}

/** What the site is asked about one listing: as it is now, or what it costs to send. */
export type Question = "refresh" | "shipping";
export type Asked = { id: number; question: Question };
const ASK = ["auctions", "ask"];

const lacksZipCode = (error: Error) => error instanceof ApiError && "zip_code" in error.fields;

const askSite = async ({ id, question }: Asked) =>
  one(await api.post(`auctionListings/{id}/${question}`, { path: { id } }));

/** Asks the site about one listing; several may be under way, each known by its id. */
export function useAsk(onZipCodeMissing: (asked: Asked) => void) {
  const refreshed = useRefreshed();
  return useMutation({
    mutationKey: ASK,
    mutationFn: askSite,
    onSuccess: refreshed,
    meta: { tellsFailure: (error) => !lacksZipCode(error) },
    onError: (error, asked) => {
      if (lacksZipCode(error)) onZipCodeMissing(asked);
    },
  });
}

/** Asks the site automatically: the person does not wait for it, so a refusal is not shown. */
export function useAskQuietly() {
  const refreshed = useRefreshed();
  return useMutation({
    mutationKey: ASK,
    mutationFn: askSite,
    onSuccess: refreshed,
  });
}

/** Whether a request about a listing is running. */
export function useIsAsking(): (id: number, question: Question) => boolean {
  const asked = useMutationState({
    filters: { mutationKey: ASK, status: "pending" },
    select: ({ state }) => rowsWith<Asked>([state.variables], "id", "question"),
  });
  return (id, question) => asked.flat().some((one) => one.id === id && one.question === question);
}

/** What the table sends of one listing, with the version that it was based on. */
export const saveListingOf = (listing: Listing, changes: Partial<Listing>) =>
  savesRow("auctionListings/{id}", ["auctions"])(
    listing,
    partOf(changes, (name) => ["my_bid", "max_bid", "note"].includes(name)),
  );

type Decided = { listing: Listing; decisions: ListingDecisions };

export function useDecide(meta?: MutationMeta) {
  const refreshed = useRefreshed();
  return useMutation({
    meta,
    // A button overwrites any version.
    mutationFn: async ({ listing: { id }, decisions }: Decided) =>
      one(await api.patch("auctionListings/{id}", { path: { id }, body: decisions })),
    onSuccess: refreshed,
  });
}

/** Whether the answer's row was made by this request, or was there. */
const isCreated = ({ status }: Answer<unknown>) => status === 201;

/** Makes the batch of a won listing; pressed twice it is the same one. */
export function useMakeBatch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (values: BodyOf<"post", "batches/fromListing">) => {
      const answer = await api.post("batches/fromListing", { body: values });
      return { batch: one(answer), isNew: isCreated(answer) };
    },
    onSuccess: () => invalidate(client, "auctions", "batches", "sources"),
  });
}

export function useDeleteListing(meta?: MutationMeta) {
  const refreshed = useRefreshed();
  return useMutation({
    meta,
    mutationFn: (id: number) => api.delete("auctionListings/{id}", { path: { id } }),
    onSuccess: refreshed,
  });
}

/**
 * Runs the saved searches as a job, which also refreshes watched and visible listings; its toast
 * shows the progress.
 */
export function useRefreshAll() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (_: { isUnasked: boolean }) =>
      one(await api.post("auctionListings/refresh", { body: { shown: shownIds(client) } })),
    meta: { tellsFailure: (_error, { isUnasked }: { isUnasked: boolean }) => !isUnasked },
  });
}

export function useAddByLink() {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: async (link: string) => {
      const answer = await api.post("auctionListings/byLink", { body: { link } });
      return { listing: one(answer), isNew: isCreated(answer) };
    },
    onSuccess: refreshed,
  });
}

export type TypedValues = BodyOf<"post", "auctionListings">;

/** Keeps a typed listing: a new one, or changes of one that was typed before. */
export function useEnterListing(listing?: Listing) {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: async (values: TypedValues) =>
      one(
        listing
          ? await api.patch("auctionListings/{id}", { path: { id: listing.id }, body: values })
          : await api.post("auctionListings", { body: values }),
      ),
    onSuccess: refreshed,
  });
}

export function useSaveSearch() {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: async (text: string) => one(await api.post("auctionSearches", { body: { text } })),
    onSuccess: refreshed,
  });
}

export function useEditSearch() {
  const refreshed = useRefreshed();
  return useMutation({
    meta: { tellsFailure: true },
    mutationFn: async ({ id, ...changes }: { id: number; is_active: boolean }) =>
      one(await api.patch("auctionSearches/{id}", { path: { id }, body: changes })),
    onSuccess: refreshed,
  });
}

export function useDeleteSearch() {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: (id: number) => api.delete("auctionSearches/{id}", { path: { id } }),
    onSuccess: refreshed,
  });
}

export function useSetBuyerOptions() {
  const refreshed = useRefreshed();
  return useMutation({
    mutationFn: async (options: BuyerOptions) =>
      one(await api.patch("auctionSite", { body: options })),
    onSuccess: refreshed,
  });
}
