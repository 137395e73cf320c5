import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { ItemType } from "@/shared/lib/itemTypes";

/** The catalogue changes when an operator loads it, not while a person works. */
const MINUTES = 60_000;

/** The station shows a new item every few seconds, for hours: unused queries are removed soon. */
const SEEN_IN_PASSING = { gcTime: MINUTES };

/** Most lots of one item: a brick exists in a hundred colours, not in a thousand. */
const ALL_LOTS = 500;

/** The colour and category seen on a picture whose item was not recognised. */
export type SeenOf = { colorId: number | null; category: string | null };

export type SearchParams = {
  text: string;
  type?: ItemType | null;
  limit: number;
  seen?: SeenOf | null;
};

export const catalogQueries = {
  /** Items that match what is typed, best first. One try: the next key is the next one. */
  search: ({ text, type, limit, seen }: SearchParams) =>
    queryOptions({
      queryKey: ["catalog", "search", { text, type: type ?? null, limit, ...seen }],
      queryFn: async ({ signal }) => {
        const narrowed = { color_id: seen?.colorId, category: seen?.category };
        const params = { search: text, item_type: type, page_size: limit, ...narrowed };
        return api.get("catalogItems", { query: params, signal, maxRetries: 1 });
      },
      enabled: text !== "",
      placeholderData: keepPreviousData,
      staleTime: 5 * MINUTES,
      ...SEEN_IN_PASSING,
    }),
  /** The item of an address, by type and number; null where the catalogue has none. */
  byNumber: (type: ItemType, number: string) =>
    queryOptions({
      queryKey: ["catalog", "byNumber", type, number],
      queryFn: async ({ signal }) => {
        const params = { number, item_type: type, page_size: 1 };
        const { data } = await api.get("catalogItems", { query: params, signal });
        return data[0] ?? null;
      },
      staleTime: 5 * MINUTES,
    }),
  item: (id: number) =>
    queryOptions({
      queryKey: ["catalog", "item", id],
      queryFn: async ({ signal }) =>
        one(await api.get("catalogItems/{id}", { path: { id }, signal })),
      staleTime: 5 * MINUTES,
    }),
  /** The colours of an item, with the reference price of the condition. */
  lots: (item: number, condition: "N" | "U") =>
    queryOptions({
      queryKey: ["catalog", "lots", item, condition],
      queryFn: async ({ signal }) => {
        const params = { item: [item], condition, page_size: ALL_LOTS };
        return (await api.get("catalogLots", { query: params, signal })).data;
      },
      staleTime: 5 * MINUTES,
      ...SEEN_IN_PASSING,
    }),
  /** All figures of a lot with their samples, and its last year. Stale with the lots. */
  prices: (lot: number) =>
    queryOptions({
      queryKey: ["catalog", "lots", "prices", lot],
      queryFn: async ({ signal }) =>
        one(await api.get("catalogLots/{id}/prices", { path: { id: lot }, signal })),
    }),
  /** What an item is made of. */
  contents: (item: number) =>
    queryOptions({
      queryKey: ["catalog", "contents", item],
      queryFn: async ({ signal }) => {
        const params = { page_size: ALL_LOTS };
        return api.get("catalogItems/{id}/contents", { path: { id: item }, query: params, signal });
      },
      staleTime: 60 * MINUTES,
    }),
  /** Which items it is a part of, of one type or of all. */
  appearsIn: (item: number, type: ItemType | null, limit: number) =>
    queryOptions({
      queryKey: ["catalog", "appearsIn", item, type, limit],
      queryFn: async ({ signal }) => {
        const params = { item_type: type, page_size: limit };
        return api.get("catalogItems/{id}/appearsIn", {
          path: { id: item },
          query: params,
          signal,
        });
      },
      placeholderData: keepPreviousData,
      staleTime: 60 * MINUTES,
    }),
  colors: () =>
    queryOptions({
      queryKey: ["catalog", "colors"],
      queryFn: async ({ signal }) =>
        (await api.get("colors", { query: { page_size: 500 }, signal })).data,
      staleTime: 60 * MINUTES,
    }),
};

/** The lots of an item that the person's sets still lack. Stale with the sets. */
export const lotsNeededQuery = (number: string, enabled: boolean) =>
  queryOptions({
    queryKey: ["userSets", "lotsNeeded", number],
    queryFn: async ({ signal }) => {
      const query = { state: "missing", search: number, page_size: ALL_LOTS } as const;
      const { data } = await api.get("userSetParts", { query, signal });
      return data.map((row) => row.lot_id);
    },
    ...SEEN_IN_PASSING,
    enabled: enabled && number !== "",
  });

/** The lots of an item that a batch holds already. Stale with the batch's items. */
export const lotsInBatchQuery = (batch: number | null, number: string) =>
  queryOptions({
    queryKey: ["batchItems", "lotsOfItem", batch, number],
    queryFn: async ({ signal }) => {
      const params = { batch, search: number, page_size: ALL_LOTS };
      const { data } = await api.get("batchItems", { query: params, signal });
      return data.flatMap((row) => row.lot_id ?? []);
    },
    ...SEEN_IN_PASSING,
    enabled: batch !== null,
  });
