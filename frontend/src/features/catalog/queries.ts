import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import type { Answer } from "@/shared/api/envelope";
import type { FromOthers } from "@/shared/api/keptAnswers";
import { queryOne, queryPage, queryRows } from "@/shared/api/queries";
import type { Schema } from "@/shared/api/wire";
import type { ItemType } from "@/shared/lib/itemTypes";

/** The catalogue changes when an operator loads it, not while a person works. */
const MINUTES = 60_000;

/** The station shows a new item every few seconds, for hours: unused queries are removed soon. */
export const SEEN_IN_PASSING = { gcTime: MINUTES };

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

type Item = Schema<"ItemRow">;

/** Without the server: what earlier searches found, the number first that was typed in full. */
const amongFound =
  ({ text, type, limit }: SearchParams): FromOthers =>
  (others) => {
    const words = text.toLowerCase().split(/\s+/);
    const found = new Map<number, Item>();
    for (const { data } of others) {
      for (const item of (data as Answer<Item>).data) found.set(item.id, item); // of this query
    }
    const isMeant = ({ item_type, item_number, item_name }: Item) =>
      (!type || item_type === type) &&
      words.every((word) => `${item_number} ${item_name}`.toLowerCase().includes(word));
    const rank = ({ item_number }: Item) => Number(item_number.toLowerCase() !== words[0]);
    const rows = [...found.values()].filter(isMeant).sort((a, b) => rank(a) - rank(b));
    return rows.length > 0
      ? { data: rows.slice(0, limit), pagination: null, message: null, status: 200 }
      : undefined;
  };

export const catalogQueries = {
  /** Whether the person runs this server, and so may import files of the catalogues. */
  access: () => queryOne(["catalog", "access"], "catalogImports"),
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
      meta: { fromOthers: amongFound({ text, type, limit }) },
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
  item: (id: number) => ({
    ...queryOne(["catalog", "item", id], "catalogItems/{id}", { path: { id } }),
    staleTime: 5 * MINUTES,
  }),
  /** The colours of an item, with the reference price of the condition. */
  lots: (item: number, condition: "N" | "U") => ({
    ...queryRows(["catalog", "lots", item, condition], "catalogLots", {
      query: { item: [item], condition, page_size: ALL_LOTS },
    }),
    staleTime: 5 * MINUTES,
    ...SEEN_IN_PASSING,
  }),
  /** All figures of a lot with their samples, and its last year. Stale with the lots. */
  prices: (lot: number) =>
    queryOne(["catalog", "lots", "prices", lot], "catalogLots/{id}/prices", { path: { id: lot } }),
  /** What an item is made of. */
  contents: (item: number) => ({
    ...queryPage(["catalog", "contents", item], "catalogItems/{id}/contents", {
      path: { id: item },
      query: { page_size: ALL_LOTS },
    }),
    staleTime: 60 * MINUTES,
  }),
  /** Which items it is a part of, of one type or of all. */
  appearsIn: (item: number, type: ItemType | null, limit: number) => ({
    ...queryPage(["catalog", "appearsIn", item, type, limit], "catalogItems/{id}/appearsIn", {
      path: { id: item },
      query: { item_type: type, page_size: limit },
    }),
    placeholderData: keepPreviousData,
    staleTime: 60 * MINUTES,
  }),
  colors: () => ({
    ...queryRows(["catalog", "colors"], "colors", { query: { page_size: 500 } }),
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
