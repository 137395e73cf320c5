import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import type { FromOthers } from "@/shared/api/keptAnswers";
import { queryOne, queryPage, queryRows } from "@/shared/api/queries";
import type { Schema } from "@/shared/api/wire";
import type { ItemType } from "@/shared/lib/itemTypes";
import { memberOf, rowsWith } from "@/shared/lib/records";
import { may } from "@/shared/lib/role";
import { matchesColor } from "./colorRanking";
import type { CatalogLot, Color } from "./model";

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
type CommonPart = Schema<"CommonPartRow">;

const SEARCH = ["catalog", "search"] as const;
const COMMON = ["catalog", "common"] as const;
const COLORS = ["catalog", "colors"] as const;
const DAY = 24 * 60 * MINUTES;

/** The rows of the kept answers of one kind, the newest first. */
const rowsOf = <Row extends object>(
  others: Parameters<FromOthers>[0],
  [, kind]: readonly unknown[],
  name: keyof Row & string,
) =>
  others
    .filter(({ key }) => key[1] === kind)
    .flatMap(({ data }) => rowsWith<Row>(memberOf(data, "data") ?? data, name));

/**
 * Without the server: what earlier searches found, and the common parts. The number comes first that
 * was typed in full; the words after it may be its colour.
 */
const amongFound =
  ({ text, type, limit }: SearchParams): FromOthers =>
  (others) => {
    const words = text.toLowerCase().split(/\s+/);
    const named = words.slice(1).join(" ");
    const colors = rowsOf<Color>(others, COLORS, "part_count");
    const exact = colors.find(({ name }) => name.toLowerCase() === named);
    const isColor = named !== "" && colors.some(({ name }) => matchesColor(name, named));
    const meant = { color_id: exact?.id ?? null, color_text: exact ? null : named };
    const parts = [
      ...rowsOf<CommonPart>(others, COMMON, "lot_ids"),
      ...rowsOf<Item>(others, SEARCH, "item_number"),
    ];
    const found = [...new Map(parts.map((item) => [item.id, item])).values()];
    const isFirst = ({ item_number }: Item) => item_number.toLowerCase() === words[0];
    const rank = (item: Item) => {
      const isBegun = item.item_name.toLowerCase().startsWith(words.join(" "));
      return isFirst(item) ? 0 : isBegun ? item.item_name.length : 1_000;
    };
    const rows = found
      .filter(({ item_type }) => !type || item_type === type)
      .flatMap((item) => {
        const title = `${item.item_number} ${item.item_name}`.toLowerCase();
        if (words.every((word) => title.includes(word))) {
          return { ...item, color_id: null, color_text: null };
        }
        return isColor && isFirst(item) ? { ...item, ...meant } : [];
      })
      .sort((a, b) => rank(a) - rank(b));
    return rows.length > 0
      ? { data: rows.slice(0, limit), pagination: null, message: null, status: 200 }
      : undefined;
  };

/** Without the server: the colours of a common part, without prices. */
const ofCommonPart =
  (item: number): FromOthers =>
  (others) => {
    const part = rowsOf<CommonPart>(others, COMMON, "lot_ids").find(({ id }) => id === item);
    if (!part) return undefined;
    const { item_number, item_type, color_ids } = part;
    return rowsOf<Color>(others, COLORS, "part_count").flatMap((color): CatalogLot[] => {
      const id = part.lot_ids[color_ids.indexOf(color.id)];
      if (id === undefined) return [];
      const { id: color_id, name: color_name, color_html } = color;
      return [
        { ...UNPRICED, id, lot_id: id, item_number, item_type, color_id, color_name, color_html },
      ];
    });
  };

const UNPRICED = {
  image_url: null,
  is_known: true,
  reference_price: null,
  reference_basis: "none",
  suggested_price: null,
  suggested_basis: "",
  bricklinkSyncedAt: null,
  figures_are_old: false,
} as const;

export const catalogQueries = {
  /** Whether the person runs this server, and so may import files of the catalogues. */
  access: () => queryOne(["catalog", "access"], "catalogImports"),
  /** Items that match what is typed, best first. One try: the next key is the next one. */
  search: ({ text, type, limit, seen }: SearchParams) =>
    queryOptions({
      queryKey: [...SEARCH, { text, type: type ?? null, limit, ...seen }],
      queryFn: async ({ signal }) => {
        const narrowed = { color_id: seen?.colorId, category: seen?.category };
        const params = { search: text, item_type: type, page_size: limit, ...narrowed };
        return api.get("catalogItems", { query: params, signal, maxRetries: 1 });
      },
      enabled: text !== "",
      meta: {
        fromOthers: amongFound({ text, type, limit }),
        others: [SEARCH, COMMON, COLORS],
      },
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
    meta: { fromOthers: ofCommonPart(item), others: [COMMON, COLORS] },
    staleTime: 5 * MINUTES,
    ...SEEN_IN_PASSING,
  }),
  /** The common parts with their colours, for a station without a connection. */
  common: () => ({
    ...queryRows(COMMON, "catalogItems/common"),
    meta: { stays: true },
    staleTime: DAY,
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
    ...queryRows(COLORS, "colors", { query: { page_size: 500 } }),
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
    enabled: enabled && number !== "" && may("read userSetParts"),
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
