/** Stocktakes as the wire spells them, and their calls. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { counted, formatCount } from "@/shared/lib/format";
import type { InventoryItem } from "../model";
import { useRefreshStock } from "../mutations";

export type Stocktake = {
  id: number;
  location_id: number;
  location_name: string;
  state: "open" | "applied" | "discarded";
  note: string;
  act_id: number | null;
  createdAt: string;
};

/** A row of the location beside what was counted of it; null: not counted yet. */
export type CountedRow = InventoryItem & { counted: number | null; seen: number | null };

export type FoundLot = {
  id: number;
  lot_id: number;
  item_number: string;
  part_name: string;
  color_name: string;
  condition: "N" | "U";
  counted: number;
};

/** What applying a stocktake would book. */
export type Tally = {
  rows: number;
  counted: number;
  fewer_rows: number;
  more_rows: number;
  fewer_pieces: number;
  more_pieces: number;
  uncounted_pieces: number;
  found_lots: number;
  found_pieces: number;
};

export type CountWrite =
  | { item_id: number; counted: number | null }
  | { lot_id: number; condition: "N" | "U"; counted: number | null };

const MOST_ROWS = 500;

const keyOf = (id: number) => ["inventory", "stocktake", id] as const;

export const stocktakeQueries = {
  /** The location's open stocktake, begun now if there is none. */
  open: (locationId: number) =>
    queryOptions({
      queryKey: ["inventory", "stocktakeOf", locationId],
      queryFn: async () =>
        one(await api.post<Stocktake>("stocktakes", { location_id: locationId })),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    }),
  rows: (id: number) =>
    queryOptions({
      queryKey: [...keyOf(id), "rows"],
      queryFn: ({ signal }) =>
        api.get<CountedRow>(`stocktakes/${id}/rows`, { page_size: MOST_ROWS }, { signal }),
    }),
  found: (id: number) =>
    queryOptions({
      queryKey: [...keyOf(id), "found"],
      queryFn: async ({ signal }) =>
        (await api.get<FoundLot>(`stocktakes/${id}/found`, { page_size: MOST_ROWS }, { signal }))
          .data,
    }),
  tally: (id: number) =>
    queryOptions({
      queryKey: [...keyOf(id), "tally"],
      queryFn: async ({ signal }) =>
        one(await api.get<Tally>(`stocktakes/${id}/tally`, undefined, { signal })),
    }),
};

/** Writes what was counted; the stock itself stays until the stocktake is applied. */
export function useCount(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (counts: readonly CountWrite[]) =>
      one(await api.post<Tally>(`stocktakes/${id}/counts`, { counts })),
    onSuccess: (tally) => {
      client.setQueryData(stocktakeQueries.tally(id).queryKey, tally);
      void client.invalidateQueries({ queryKey: stocktakeQueries.rows(id).queryKey });
      void client.invalidateQueries({ queryKey: stocktakeQueries.found(id).queryKey });
    },
  });
}

export function useEndStocktake(id: number) {
  const refresh = useRefreshStock();
  return useMutation({
    mutationFn: async (
      end: { discard: true } | { discard: false; uncounted: "keep" | "missing"; note: string },
    ) => {
      const { discard, ...body } = end;
      return one(
        await api.post<Stocktake>(`stocktakes/${id}/${discard ? "discard" : "apply"}`, body),
      );
    },
    onSuccess: refresh,
  });
}

/** Why this cannot be a count, or null. Empty takes a count back. */
export const whyNotCount = (text: string): string | null =>
  text.trim() === "" || /^\d{1,9}$/.test(text.trim()) ? null : "A whole number, or nothing.";

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
