import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { queryOne, queryPage, queryRows } from "@/shared/api/queries";
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
  owned: (itemId: number) => ({
    ...queryRows(["inventory", "owned", itemId], "inventoryItems/owned", {
      query: { item: itemId },
    }),
    ...SEEN_IN_PASSING,
  }),
  /** The largest lots of a bin, and how many lots it holds. */
  contents: (binId: number) => ({
    ...queryPage(["inventory", "contents", binId, "largest"], "inventoryItems", {
      query: { location: String(binId), ordering: "-quantity", page_size: SHOWN_LOTS },
    }),
    ...SEEN_IN_PASSING,
  }),
  /** Bins for this many pieces of a lot, best first; among equal ones `near` decides. */
  destinations: (lot: number, condition: "N" | "U", quantity: number, near = "") => ({
    ...queryRows(
      ["inventory", "destinations", lot, condition, quantity, near],
      "inventoryItems/destinations",
      { query: { lot, condition, quantity, ...(near && { near }) } },
    ),
    ...SEEN_IN_PASSING,
  }),
};

export const batchPickQueries = {
  /** Open batches that match the text, the newest first (the server's order). */
  pick: (search: string) => ({
    ...queryRows(["batches", "pick", search], "batches", { query: { search, page_size: 20 } }),
    placeholderData: keepPreviousData,
  }),
  head: (id: number) =>
    queryOptions({
      ...queryOne(["batches", "head", id], "batches/{id}", { path: { id } }),
      // The answer has up to 500 items: fetched when the page opens, and not on every focus.
      refetchOnMount: "always",
      refetchOnWindowFocus: false,
    }),
  /** The sets that were parted out into a batch, and the parts it can hold. */
  knownParts: (id: number) => ({
    ...queryOne(["batches", "knownParts", id], "batches/{id}/knownParts", { path: { id } }),
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

const isBulkItem = ({ item_type: itemType, item_name: itemName }: BatchItem): boolean =>
  isBulk({ itemType, itemName });
