/** Stocktakes as the wire spells them, and their calls. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { api } from "@/shared/api/client";
import { one as only } from "@/shared/api/envelope";
import { queryPage, queryRows } from "@/shared/api/queries";
import type { Schema } from "@/shared/api/wire";
import { whyNotQuantity } from "@/shared/lib/amounts";
import { counted, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { problemText } from "@/shared/lib/problem";
import { invalidate, STOCK } from "@/shared/lib/tags";
import { outbox, sendKept, useWaiting, waitingOf } from "@/shared/outbox/theOutbox";
import type { Unsent } from "@/shared/outbox/unsent";
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

const COUNTS = "counts";
type Counted = { stocktake: number; count: CountWrite };
const countedBy = ({ about }: Unsent) => about as Counted | undefined; // as sent below

/** What is counted and is not at the server yet. */
const isCountOf = (id: number) => (one: Unsent) => countedBy(one)?.stocktake === id;
export const unsentCounts = (id: number): readonly Unsent[] =>
  waitingOf(COUNTS).filter(isCountOf(id));

/** The rows as they are with what is not stored yet. */
export function useCountedRows(id: number, rows: readonly CountedRow[]): readonly CountedRow[] {
  const last = new Map(
    useWaiting(COUNTS)
      .filter(isCountOf(id))
      .flatMap((one) => {
        const count = countedBy(one)?.count;
        return count && "item_id" in count ? [[count.item_id, count.counted] as const] : [];
      }),
  );
  if (last.size === 0) return rows;
  return rows.map((row) => ({
    ...row,
    counted: last.has(row.id) ? (last.get(row.id) ?? null) : row.counted,
  }));
}

const LATER = "kept on this computer, applied when the server answers";

const countWords = ({ counted: pieces }: CountWrite) =>
  pieces === null ? "Remove the count in" : `Count ${counted(pieces, "piece")} in`;

/** An act on a whole stocktake, or a count: sent in the order of the acts. */
const partOf = ({ id, location_id, location_name }: Stocktake, part: string, words: string) => ({
  kind: COUNTS,
  rows: [`stocktake ${id}`, ...(part ? [`stocktake ${id} ${part}`] : [])],
  words: `${words} ${location_name || "a bin"}`,
  to: pathTo("inventory", { walk: "count", bin: location_id }),
});

/**
 * Writes counts, and ends the stocktake; the stock itself stays until it is applied. All of it goes
 * through the outbox, one after the other: null is the answer to what is sent later.
 */
export function useCounting(stocktake: Stocktake) {
  const { id } = stocktake;
  const client = useQueryClient();
  const refresh = useRefreshStock();
  const refused = useRef(new Map<string, CountWrite & { reason: string }>());
  const underWay = useRef(new Set<Promise<unknown>>());

  const write = async (one: CountWrite): Promise<Tally | null> => {
    try {
      const tally = await sendKept(
        "post",
        "stocktakes/{id}/counts",
        { path: { id }, body: { counts: [one] } },
        {
          ...partOf(stocktake, subjectOf(one), countWords(one)),
          stale: [keyOf(id)],
          about: { stocktake: id, count: one } satisfies Counted,
        },
      );
      refused.current.delete(subjectOf(one));
      return tally;
    } catch (error) {
      refused.current.set(subjectOf(one), { ...one, reason: problemText(error) });
      throw error;
    }
  };

  const count = useMutation({
    meta: { tellsFailure: true },
    mutationFn: async (one: CountWrite) => {
      const writing = write(one);
      underWay.current.add(writing);
      return writing.finally(() => underWay.current.delete(writing));
    },
    onSuccess: (tally) => {
      if (!tally) return;
      client.setQueryData(stocktakeQueries.tally(id).queryKey, tally);
      void invalidate(
        client,
        stocktakeQueries.rows(id).queryKey,
        stocktakeQueries.found(id).queryKey,
      );
    },
  });

  const apply = useMutation({
    meta: { tellsFailure: true },
    mutationFn: async ({ missing, note }: { missing: boolean; note: string }) => {
      await Promise.allSettled(underWay.current);
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
      const done = await sendKept(
        "post",
        "stocktakes/{id}/apply",
        { path: { id }, body },
        {
          ...partOf(stocktake, "", "Apply the counts of"),
          stale: STOCK,
          needsEarlier: true,
        },
      );
      const act_id = done?.act_id ?? null;
      const words = act_id !== null && tally ? tallyWords(tally, missing) : "no differences";
      return { act_id, words: done ? words : LATER };
    },
    onSuccess: refresh,
  });

  const discard = useMutation({
    mutationFn: async () => {
      await outbox.discard(unsentCounts(id));
      return sendKept(
        "post",
        "stocktakes/{id}/discard",
        { path: { id } },
        {
          ...partOf(stocktake, "", "Discard the counts of"),
          stale: STOCK,
        },
      );
    },
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
