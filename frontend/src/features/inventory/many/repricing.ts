/** Re-pricing rows of stock as the wire spells it. apps/inventory/services/reprice.py does it. */
import { queryOptions, useMutation } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { ChosenRows, InventoryItem, JobStarted } from "../model";
import { useRefreshStock } from "../mutations";

export type PriceChange = Pick<
  InventoryItem,
  "id" | "item_number" | "part_name" | "color_name" | "condition" | "location_name"
> & {
  before: string | null;
  after: string | null;
  /** Which figure of the market, or "". */
  found_by: string;
  /** The market has no figure. */
  is_marked: boolean;
};

export type Repriced = {
  dry_run: boolean;
  act_id: number | null;
  row_count: number;
  changed: number;
  without_data: number;
  /** By the rule: rows without market prices yet. */
  without_figures: number;
  value_before: string;
  lots_without_price_before: number;
  value_after: string;
  lots_without_price_after: number;
  /** The first 200 of them. */
  rows: PriceChange[];
};

const URL = "inventoryItems/reprice";
const LONG = { timeoutMs: 120_000 };

/** What it would do; `asked` is the re-pricing as text, null while something is missing. */
export const repricingPreview = (rows: ChosenRows, asked: string | null) =>
  queryOptions({
    queryKey: ["repricing", rows, asked],
    queryFn: async ({ signal }) => {
      const how: object = JSON.parse(asked ?? "{}");
      return one(
        await api.post<Repriced>(URL, { ...rows, ...how, dry_run: true }, { ...LONG, signal }),
      );
    },
    enabled: asked !== null,
    placeholderData: (before) => before,
    gcTime: 0,
    staleTime: 0,
  });

export function useReprice() {
  const refresh = useRefreshStock();
  return useMutation({
    mutationFn: async (input: { rows: ChosenRows; how: object }) =>
      one(await api.post<Repriced | JobStarted>(URL, { ...input.rows, ...input.how }, LONG)),
    onSuccess: refresh,
  });
}
