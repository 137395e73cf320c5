import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { pagesOf, queryOne } from "@/shared/api/queries";
import { filtersOf, type ListParams, type RowSource } from "@/shared/table/column";
import type { Group, GroupBy } from "@/shared/table/Groups";
import type { InventoryItem, LotGroup } from "./model";

/** Lines of a row's history fetched at a time. */
const HISTORY_PAGE = 50;

export type Shown = { zeroQuantity: boolean; unconsolidated: boolean };

const queryOf = ({ zeroQuantity, unconsolidated }: Shown) => ({
  ...(zeroQuantity && { show_zero_quantity: true }),
  ...(unconsolidated && { unconsolidated: true }),
});

const textOf = (query: Record<string, boolean>) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

export const inventoryQueries = {
  lists: () => ["inventory", "list"] as const,
  detail: (id: number) =>
    queryOne(["inventory", "detail", id], "inventoryItems/{id}", { path: { id } }),
  charts: () => queryOne(["inventory", "charts"], "inventoryItems/charts"),
  /** How many rows each of several views has, in their order; one's own are queries of an address. */
  counts: (shown: Shown, views: readonly Record<string, string>[]) =>
    queryOptions({
      queryKey: [...inventoryQueries.lists(), "counts", shown, views],
      queryFn: async ({ signal }) => {
        const filters = views.map((view) => ({ ...textOf(queryOf(shown)), ...view }));
        const { data } = await api.ask("inventoryItems/viewCounts", { body: { filters }, signal });
        return data.map(({ rows }) => rows);
      },
      placeholderData: keepPreviousData,
      meta: { movesNothing: true },
    }),
  movements: (id: number) =>
    pagesOf(["inventory", "movements", id], HISTORY_PAGE, "inventoryItems/{id}/movements", {
      path: { id },
    }),
};

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

/** The sums of the stock by bin or by colour. */
export const groupsOfRows = (shown: Shown, by: GroupBy): RowSource<Group> => ({
  key: [...inventoryQueries.lists(), "groups", by, shown],
  fetch: (params: ListParams, signal) =>
    api.get("inventoryItems/groups", {
      query: { by, ...queryOf(shown) },
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

/** What the rows come to that are shown with these parameters. */
export const sumsOfRows = (shown: Shown, params: ListParams) => {
  const filters = filtersOf(params);
  return {
    ...queryOne([...inventoryQueries.lists(), "sums", shown, filters], "inventoryItems/sums", {
      query: queryOf(shown),
      filters,
    }),
    placeholderData: keepPreviousData,
  };
};
