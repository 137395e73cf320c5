/** The numbers that the catalogue does not know. */

import { keepPreviousData, useMutation } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { queryPage, queryRows } from "@/shared/api/queries";
import type { BodyOf, Schema } from "@/shared/api/wire";
import { counted, formatCount } from "@/shared/lib/format";
import { STOCK } from "@/shared/lib/tags";
import { inventoryQueries } from "../queries";

export type Unknown = Schema<"UnknownRow">;
export type Renumbered = Schema<"Renumbered">;
export type Candidate = Schema<"UnknownCandidateRow">;
export type Ordering = "-value" | "-lots" | "item_number";

export const PAGE_SIZE = 25;
/** A call to the marketplace, or a thousand rows. */
const LONG = { timeoutMs: 60_000 };

/** Why it is unknown; the page explains once what has no candidates. */
export const whyTexts: Record<Unknown["why"], string> = {
  known_by_now: "This number is now in the catalogue",
  color: "The item is in the catalogue, but not in this colour",
  renumbered: "It has another number today",
  variant: "Another mould of this part is known",
  print: "A print: the plain part or a print of the same name is known",
  type: "The number is known, as another type of item",
  too_old: "no match",
  own: "perhaps your own",
};

export const likenessTexts: Record<Candidate["likeness"], string> = {
  number: "same number",
  former: "renumbered",
  ldraw: "by LDraw",
  element: "element id",
  name: "same name",
  mould: "other mould",
  type: "other type",
  related: "variant",
  plain: "no print",
  main: "main part",
};

/** The candidate that needs no second look, if there is one. */
export function sureCandidate(unknown: Unknown): Candidate | null {
  const [first, second] = unknown.candidates;
  if (!first || unknown.why === "color") return null;
  const isSure =
    ["number", "former", "element"].includes(first.likeness) ||
    (first.item_name !== "" &&
      first.item_name === unknown.part_name &&
      second?.item_name !== first.item_name);
  return isSure ? first : null;
}

/** Whose lots are counted: a number's or a word's. */
type Counted = Pick<Unknown, "id" | "batch_item_id" | "lots" | "batch_lots" | "quantity">;

/** The row by which all its lots are named: one of the stock, else one of a batch. */
const rowOf = ({ id, batch_item_id }: Counted) =>
  id === null
    ? ({ door: "batchItems", id: batch_item_id ?? 0 } as const)
    : ({ door: "inventoryItems", id } as const);

export const keyOf = (one: Counted): string => `${rowOf(one).door}/${rowOf(one).id}`;

/** Its pieces and lots, and how many of these lie in batches. */
export function lotsText({ quantity, lots, batch_lots }: Counted): string {
  const all = `${counted(quantity, "piece")} in ${counted(lots, "lot")}`;
  if (batch_lots === 0) return all;
  return batch_lots === lots
    ? `${all} in batches`
    : `${all}, ${formatCount(batch_lots)} in batches`;
}

export type UnknownWord = Schema<"UnknownWordRow">;
export type WordField = "condition" | "color";

export const unknownWordsQuery = (field: WordField) =>
  queryPage([...inventoryQueries.lists(), "unknownWords", field], "inventoryItems/unknownWords", {
    query: { field, page_size: PAGE_SIZE },
  });

/** Lets a word mean a condition or a colour, in all lots that have it. */
export function useNameWord() {
  return useMutation({
    meta: { stale: STOCK, tellsFailure: true },
    mutationFn: async (named: {
      word: UnknownWord;
      meaning: BodyOf<"post", "inventoryItems/{id}/nameWord">;
    }) => {
      const { door, id } = rowOf(named.word);
      return one(
        await api.post(`${door}/{id}/nameWord`, { path: { id }, body: named.meaning, ...LONG }),
      );
    },
  });
}

export const unknownQuery = (shown: { own: boolean; page: number; ordering: Ordering }) => ({
  ...queryPage([...inventoryQueries.lists(), "unknown", shown], "inventoryItems/unknown", {
    query: { ...shown, page_size: PAGE_SIZE },
  }),
  placeholderData: keepPreviousData,
});

export const renumberedQuery = () =>
  queryRows([...inventoryQueries.lists(), "renumbered"], "inventoryItems/renumbered");

/** Gives all lots of moved items their new numbers. */
export function useRenumber() {
  return useMutation({
    meta: { stale: STOCK, tellsFailure: true },
    mutationFn: async () => one(await api.post("inventoryItems/renumber", LONG)),
  });
}

/** Lets a number mean an item, in all its lots. */
export function useNameItem() {
  return useMutation({
    meta: { stale: STOCK, tellsFailure: true },
    mutationFn: async (named: { unknown: Unknown; itemId: number }) => {
      const { door, id } = rowOf(named.unknown);
      const body = { item_id: named.itemId };
      return one(await api.post(`${door}/{id}/name`, { path: { id }, body, ...LONG }));
    },
  });
}

/** Asks the marketplace's catalogue, and names all lots by its answer. */
export function useLookUp() {
  return useMutation({
    meta: { stale: STOCK, tellsFailure: true },
    mutationFn: async (unknown: Unknown & { id: number }) =>
      one(await api.post("marketplace/itemLookups", { body: { id: unknown.id }, ...LONG })),
  });
}

/** Keeps a number as an own item: it is not asked about again. */
export function useKeepAsOwn() {
  return useMutation({
    meta: { stale: STOCK, tellsFailure: true },
    mutationFn: async (unknown: Unknown) => {
      const { door, id } = rowOf(unknown);
      return one(await api.post(`${door}/{id}/keepAsOwn`, { path: { id } }));
    },
  });
}
