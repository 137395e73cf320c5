import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { QueryOf } from "@/shared/api/wire";
import { type BatchItem, BULK_NAME, isBulk } from "./model";

const MINUTES = 60_000;

/** Another lot comes each few seconds, for hours: what nobody looks at goes soon. */
export const SEEN_IN_PASSING = { gcTime: MINUTES };

/** What the station asks of stock. The keys lie under stock's, so that a stow refreshes them. */
export const stockQueries = {
  all: () => ["inventory"] as const,
  /** What the person owns of an item, in every colour, condition and bin. */
  owned: (itemId: number) =>
    queryOptions({
      queryKey: ["inventory", "owned", itemId],
      queryFn: async ({ signal }) =>
        (await api.get("inventoryItems/owned", { query: { item: itemId }, signal })).data,
      ...SEEN_IN_PASSING,
    }),
  /** Where so many pieces of a lot could go, best first; among equals `near` that bin. */
  destinations: (lot: number, condition: "N" | "U", quantity: number, near = "") =>
    queryOptions({
      queryKey: ["inventory", "destinations", lot, condition, quantity, near],
      queryFn: async ({ signal }) => {
        const params = { lot, condition, quantity, ...(near && { near }) };
        return (await api.get("inventoryItems/destinations", { query: params, signal })).data;
      },
      ...SEEN_IN_PASSING,
    }),
};

export const batchPickQueries = {
  /** Open batches that match what is typed, the newest first (the server's order). */
  pick: (search: string) =>
    queryOptions({
      queryKey: ["batches", "pick", search],
      queryFn: async ({ signal }) => {
        const params = { search, page_size: 20 };
        return (await api.get("batches", { query: params, signal })).data;
      },
      placeholderData: keepPreviousData,
    }),
  head: (id: number) =>
    queryOptions({
      queryKey: ["batches", "head", id],
      queryFn: async ({ signal }) => one(await api.get("batches/{id}", { path: { id }, signal })),
      // It comes with up to 500 items: fresh when the page opens, and not at each look at it.
      refetchOnMount: "always",
      refetchOnWindowFocus: false,
    }),
  /** The rows that were added to a batch last, and its open bulk however long ago that was. */
  earlierItems: (batch: number, count: number) =>
    queryOptions({
      queryKey: ["batchItems", "earlier", batch, count],
      queryFn: async ({ signal }) => {
        const read = async (narrowing: QueryOf<"batchItems">) => {
          const params = { batch, ordering: "-createdAt", page_size: count, ...narrowing };
          return (await api.get("batchItems", { query: params, signal })).data;
        };
        const ofBulk = { item_type: "UNSORTED_LOT", state: "new", search: BULK_NAME } as const;
        const [last, loose] = await Promise.all([read({}), read(ofBulk)]);
        return { last, bulk: loose.filter(isBulkItem) };
      },
      // Read once when a sitting begins; from then on the sitting itself knows better.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    }),
};

export const preferencesQuery = () =>
  queryOptions({
    queryKey: ["preferences"],
    queryFn: async ({ signal }) => one(await api.get("preferences", { signal })),
    staleTime: 5 * MINUTES,
  });

const isBulkItem = ({ item_type: itemType, item_name: itemName }: BatchItem): boolean =>
  isBulk({ itemType, itemName });
