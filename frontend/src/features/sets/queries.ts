import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { Region } from "@/shared/lib/regions";
import type { ListParams, RowSource } from "@/shared/table/column";
import type { Condition } from "@/shared/ui/Lot";
import type { BuildableSet, SetPart, UserSet } from "./model";

/** As many as a page of the server holds. */
const MOST = 500;

export const setQueries = {
  /** The station's set destinations are under it too. */
  lists: () => ["userSets", "list"] as const,
  detail: (id: number) =>
    queryOptions({
      queryKey: ["userSets", "detail", id],
      queryFn: async ({ signal }) => one(await api.get("userSets/{id}", { path: { id }, signal })),
    }),
  cards: (params: ListParams) =>
    queryOptions({
      queryKey: ["userSets", "list", "cards", params],
      queryFn: ({ signal }) => api.get("userSets", { filters: params, signal }),
      placeholderData: keepPreviousData,
    }),
  /** Under the lists, so that both become stale together. */
  overview: () =>
    queryOptions({
      queryKey: ["userSets", "list", "overview"],
      queryFn: async ({ signal }) => one(await api.get("userSets/overview", { signal })),
    }),
  summary: (id: number, by: { condition: Condition; region?: Region }) =>
    queryOptions({
      queryKey: ["userSets", "summary", id, by],
      queryFn: async ({ signal }) =>
        one(await api.get("userSets/{id}/summary", { path: { id }, query: by, signal })),
      placeholderData: keepPreviousData,
    }),
  leftOut: (id: number) =>
    queryOptions({
      queryKey: ["userSets", "leftOut", id],
      queryFn: async ({ signal }) =>
        api.get("userSets/{id}/leftOut", { path: { id }, query: { page_size: MOST }, signal }),
    }),
  minifigParts: (id: number) =>
    queryOptions({
      queryKey: ["userSets", "minifigParts", id],
      queryFn: async ({ signal }) =>
        api.get("userSets/{id}/minifigParts", { path: { id }, query: { page_size: MOST }, signal }),
    }),
  minifigs: (id: number) =>
    queryOptions({
      queryKey: ["userSets", "minifigs", id],
      queryFn: async ({ signal }) => {
        const query = { user_set: id, ordering: "number", page_size: MOST };
        return (await api.get("userSetParts", { query: { ...query, kind: "minifig" }, signal }))
          .data;
      },
    }),
  takes: (id: number) =>
    queryOptions({
      queryKey: ["userSets", "takes", id],
      queryFn: async ({ signal }) =>
        (await api.get("userSets/{id}/takes", { path: { id }, signal })).data,
    }),
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
