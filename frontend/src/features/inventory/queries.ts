import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { pagesOf } from "@/shared/api/pages";
import type { ListParams, RowSource } from "@/shared/table/column";
import type { InventoryItem, LotGroup } from "./model";

/** Lines of a row's history fetched at a time. */
const HISTORY_PAGE = 50;

export type Shown = { zeroQuantity: boolean; unconsolidated: boolean };

export const inventoryQueries = {
  all: () => ["inventory"] as const,
  lists: () => ["inventory", "list"] as const,
  detail: (id: number) =>
    queryOptions({
      queryKey: ["inventory", "detail", id],
      queryFn: async ({ signal }) =>
        one(await api.get("inventoryItems/{id}", { path: { id }, signal })),
    }),
  charts: () =>
    queryOptions({
      queryKey: ["inventory", "charts"],
      queryFn: async ({ signal }) => one(await api.get("inventoryItems/charts", { signal })),
    }),
  movements: (id: number) =>
    pagesOf(["inventory", "movements", id], HISTORY_PAGE, "inventoryItems/{id}/movements", {
      path: { id },
    }),
};

const queryOf = ({ zeroQuantity, unconsolidated }: Shown) => ({
  ...(zeroQuantity && { show_zero_quantity: true }),
  ...(unconsolidated && { unconsolidated: true }),
});

/** Rows of stock; what is hidden by default only where it is asked for. */
export const inventoryRows = (shown: Shown): RowSource<InventoryItem> => ({
  key: [...inventoryQueries.lists(), shown],
  fetch: (params: ListParams, signal) =>
    api.get("inventoryItems", {
      query: queryOf(shown),
      filters: params,
      signal,
    }),
});

/** The stock by lot and condition. */
export const lotRows = (shown: Shown): RowSource<LotGroup> => ({
  key: [...inventoryQueries.lists(), "lots", shown],
  fetch: (params: ListParams, signal) =>
    api.get("inventoryItems/lots", {
      query: queryOf(shown),
      filters: params,
      signal,
    }),
});
