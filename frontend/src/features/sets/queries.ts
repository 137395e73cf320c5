import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { queryOne, queryPage, queryRows } from "@/shared/api/queries";
import type { ListParams, RowSource } from "@/shared/table/column";
import type { Condition } from "@/shared/ui/Lot";
import type { BuildableSet, SetPart, UserSet } from "./model";

/** As many as a page of the server holds. */
const MOST = 500;

export const setQueries = {
  /** The station's set destinations are under it too. */
  lists: () => ["userSets", "list"] as const,
  detail: (id: number) => queryOne(["userSets", "detail", id], "userSets/{id}", { path: { id } }),
  cards: (params: ListParams) => ({
    ...queryPage(["userSets", "list", "cards", params], "userSets", { filters: params }),
    placeholderData: keepPreviousData,
  }),
  /** Under the lists, so that both become stale together. */
  overview: () => queryOne(["userSets", "list", "overview"], "userSets/overview"),
  summary: (id: number, by: { condition: Condition; region?: string }) => ({
    ...queryOne(["userSets", "summary", id, by], "userSets/{id}/summary", {
      path: { id },
      query: by,
    }),
    placeholderData: keepPreviousData,
  }),
  leftOut: (id: number) =>
    queryPage(["userSets", "leftOut", id], "userSets/{id}/leftOut", {
      path: { id },
      query: { page_size: MOST },
    }),
  minifigParts: (id: number) =>
    queryPage(["userSets", "minifigParts", id], "userSets/{id}/minifigParts", {
      path: { id },
      query: { page_size: MOST },
    }),
  minifigs: (id: number) =>
    queryRows(["userSets", "minifigs", id], "userSetParts", {
      query: { user_set: id, kind: "minifig", ordering: "number", page_size: MOST },
    }),
  takes: (id: number) =>
    queryRows(["userSets", "takes", id], "userSets/{id}/takes", { path: { id } }),
  /** What would come out of stock, and from where. */
  /** The last look at what the stock makes; null before the first one. */
  lastSearch: () =>
    queryOptions({
      queryKey: ["buildSearches", "last"],
      queryFn: async ({ signal }) =>
        (await api.get("buildSearches", { query: { page_size: 1 }, signal })).data[0] ?? null,
    }),
};

export const setRows: RowSource<UserSet> = {
  key: setQueries.lists(),
  fetch: (params: ListParams, signal) => api.get("userSets", { filters: params, signal }),
};

export const partRows = (id: number): RowSource<SetPart> => ({
  key: ["userSets", "parts", id],
  fetch: (params, signal) =>
    api.get("userSetParts", { query: { user_set: id }, filters: params, signal }),
});

export const buildableRows = (search: number): RowSource<BuildableSet> => ({
  key: ["buildSearches", "found", search],
  fetch: (params, signal) =>
    api.get("buildableSets", { query: { build_search: search }, filters: params, signal }),
});
