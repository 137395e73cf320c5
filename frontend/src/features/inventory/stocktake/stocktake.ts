/** Stocktakes as the wire spells them, and their calls. */

import { type Mutation, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { api } from "@/shared/api/client";
import { one as only } from "@/shared/api/envelope";
import { queryPage, queryRows } from "@/shared/api/queries";
import type { Schema } from "@/shared/api/wire";
import { whyNotQuantity } from "@/shared/lib/amounts";
import { counted, formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { invalidate } from "@/shared/lib/tags";
import { useRefreshStock } from "../mutations";

export type Stocktake = Schema<"StocktakeRow">;

/** A row of the location beside what was counted of it; null: not counted yet. */
export type CountedRow = Schema<"CountedRow">;

export type FoundLot = Schema<"FoundRow">;

/** What applying a stocktake would book. */
export type Tally = Schema<"TallyRow">;

export type CountWrite =
  | { item_id: number; counted: number | null }
  | { lot_id: number; condition: "N" | "U"; counted: number | null };

const MOST_ROWS = 500;

const keyOf = (id: number) => ["inventory", "stocktake", id] as const;

export const stocktakeQueries = {
  rows: (id: number) =>
    queryPage([...keyOf(id), "rows"], "stocktakes/{id}/rows", {
      path: { id },
      query: { page_size: MOST_ROWS },
    }),
  found: (id: number) =>
    queryRows([...keyOf(id), "found"], "stocktakes/{id}/found", {
      path: { id },
      query: { page_size: MOST_ROWS },
    }),
  tally: (id: number) =>
    queryOptions({
      queryKey: [...keyOf(id), "tally"],
      queryFn: async ({ signal }) =>
        only(await api.get("stocktakes/{id}/tally", { path: { id }, signal })),
    }),
};

/**
 * Begins a stocktake of a location, or returns its open one. A mutation: as a query it would be
 * sent again whenever the stock is refreshed, and begin another one.
 */
export const useBeginStocktake = () =>
  useMutation({
    mutationFn: async (locationId: number) =>
      only(await api.post("stocktakes", { body: { location_id: locationId } })),
  });

/** What a count is of, as a key. */
const subjectOf = (one: CountWrite): string =>
  "item_id" in one ? `item ${one.item_id}` : `lot ${one.lot_id} ${one.condition}`;

const scopeOf = (id: number) => ({ id: `stocktake ${id}` });

/** For `isMutating`: what is on its way to this stocktake. */
export const isCountOf = (id: number) => (mutation: Mutation) =>
  mutation.options.scope?.id === scopeOf(id).id;

/**
 * Writes counts, and ends the stocktake; the stock itself stays until it is applied. Requests go
 * out one after the other, so that answers come in that order, too.
 */
export function useCounting(id: number) {
  const client = useQueryClient();
  const refresh = useRefreshStock();
  const scope = scopeOf(id);
  const refused = useRef(new Map<string, CountWrite & { reason: string }>());

  const count = useMutation({
    meta: { tellsFailure: true },
    scope,
    mutationFn: async (one: CountWrite) =>
      only(await api.post("stocktakes/{id}/counts", { path: { id }, body: { counts: [one] } })),
    onSuccess: (tally, one) => {
      refused.current.delete(subjectOf(one));
      client.setQueryData(stocktakeQueries.tally(id).queryKey, tally);
      void invalidate(
        client,
        stocktakeQueries.rows(id).queryKey,
        stocktakeQueries.found(id).queryKey,
      );
    },
    onError: (error, one) => {
      refused.current.set(subjectOf(one), { ...one, reason: problemText(error) });
    },
  });

  const apply = useMutation({
    meta: { tellsFailure: true },
    scope,
    mutationFn: async ({ missing, note }: { missing: boolean; note: string }) => {
      const [first] = refused.current.values();
      // A row keeps showing its refusal; that of a found lot is shown here once.
      for (const [subject, one] of refused.current) {
        if ("lot_id" in one) refused.current.delete(subject);
      }
      if (first) {
        throw new Error(`A count was not saved, so nothing was applied: ${first.reason}`);
      }
      const tally = client.getQueryData(stocktakeQueries.tally(id).queryKey);
      const uncounted = missing ? "missing" : "keep";
      const body = { uncounted, note } as const;
      const done = only(await api.post("stocktakes/{id}/apply", { path: { id }, body }));
      const words = done.act_id !== null && tally ? tallyWords(tally, missing) : "no differences";
      return { ...done, words };
    },
    onSuccess: refresh,
  });

  const discard = useMutation({
    scope,
    mutationFn: async () => only(await api.post("stocktakes/{id}/discard", { path: { id } })),
    onSuccess: refresh,
  });

  return { count, apply, discard };
}

/** Why this cannot be a count, or null. Empty takes a count back. */
export const whyNotCount = (text: string): string | null =>
  text.trim() === "" ? null : whyNotQuantity(text);

/** What applying would book, in words. */
export function tallyWords(tally: Tally, missing: boolean): string {
  const parts = [
    tally.fewer_pieces > 0 && `${counted(tally.fewer_pieces, "piece")} fewer`,
    tally.more_pieces > 0 && `${formatCount(tally.more_pieces)} more`,
    tally.found_pieces > 0 && `${formatCount(tally.found_pieces)} found`,
    missing && tally.uncounted_pieces > 0 && `${formatCount(tally.uncounted_pieces)} missing`,
  ].filter(Boolean);
  return parts.length === 0 ? "No differences" : parts.join(", ");
}
