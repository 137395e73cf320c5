import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { pagesOf } from "@/shared/api/pages";
import type { ListParams, RowSource } from "@/shared/table/column";
import type { StockSums } from "./charts/model";
import type { InventoryItem, LotGroup, Movement } from "./model";

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
        one(await api.get<InventoryItem>(`inventoryItems/${id}`, undefined, { signal })),
    }),
  charts: () =>
    queryOptions({
      queryKey: ["inventory", "charts"],
      queryFn: async ({ signal }) =>
        one(await api.get<StockSums>("inventoryItems/charts", undefined, { signal })),
    }),
  movements: (id: number) =>
    pagesOf<Movement>(
      ["inventory", "movements", id],
      `inventoryItems/${id}/movements`,
      HISTORY_PAGE,
    ),
};

/** Rows of stock; what is hidden by default only where it is asked for. */
export const inventoryRows = (shown: Shown): RowSource<InventoryItem> => ({
  key: [...inventoryQueries.lists(), shown],
  fetch: (params: ListParams, signal) =>
    api.get<InventoryItem>(
      "inventoryItems",
      {
        ...params,
        ...(shown.zeroQuantity && { show_zero_quantity: "true" }),
        ...(shown.unconsolidated && { unconsolidated: "true" }),
      },
      { signal },
    ),
});

/** The stock by lot and condition. */
export const lotRows = (shown: Shown): RowSource<LotGroup> => ({
  key: [...inventoryQueries.lists(), "lots", shown],
  fetch: (params: ListParams, signal) =>
    api.get<LotGroup>(
      "inventoryItems/lots",
      {
        ...params,
        ...(shown.zeroQuantity && { show_zero_quantity: "true" }),
        ...(shown.unconsolidated && { unconsolidated: "true" }),
      },
      { signal },
    ),
});
