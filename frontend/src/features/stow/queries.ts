import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { QueryOf } from "@/shared/api/wire";
import { type BatchItem, BULK_NAME, isBulk } from "./model";

const MINUTES = 60_000;

/** As many pictures of a bin as fit beside each other. */
export const SHOWN_LOTS = 8;

/** A new lot every few seconds, for hours: unused queries are removed soon. */
export const SEEN_IN_PASSING = { gcTime: MINUTES };

/**
 * The station's queries about stock. Their keys begin with stock's, so that a stow refreshes them.
 */
export const stockQueries = {
  /** The person's stock of an item, in every colour, condition and bin. */
  owned: (itemId: number) =>
    queryOptions({
      queryKey: ["inventory", "owned", itemId],
      queryFn: async ({ signal }) =>
        (await api.get("inventoryItems/owned", { query: { item: itemId }, signal })).data,
      ...SEEN_IN_PASSING,
    }),
  /** The largest lots of a bin, and how many lots it holds. */
  contents: (binId: number) =>
    queryOptions({
      queryKey: ["inventory", "contents", binId, "largest"],
      queryFn: async ({ signal }) => {
        const query = { location: String(binId), ordering: "-quantity", page_size: SHOWN_LOTS };
        const { data, pagination } = await api.get("inventoryItems", { query, signal });
        return { lots: data, total: pagination?.total_items ?? data.length };
      },
      ...SEEN_IN_PASSING,
    }),
  /** Bins for this many pieces of a lot, best first; among equal ones `near` decides. */
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
  /** Open batches that match the text, the newest first (the server's order). */
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
      // The answer has up to 500 items: fetched when the page opens, and not on every focus.
      refetchOnMount: "always",
      refetchOnWindowFocus: false,
    }),
  /** The sets that were parted out into a batch, and the parts it can hold. */
  knownParts: (id: number) =>
    queryOptions({
      queryKey: ["batches", "knownParts", id],
      queryFn: async ({ signal }) =>
        one(await api.get("batches/{id}/knownParts", { path: { id }, signal })),
      staleTime: 5 * MINUTES,
    }),
  /** The last rows added to a batch, and its open bulk row, however old. */
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
      // Fetched once when a session begins; after that the session has the newer data.
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
