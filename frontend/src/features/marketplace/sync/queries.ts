import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { DifferenceKind, RowState } from "./model";

export const ROWS_PAGE = 50;

export const storeSyncQueries = {
  detail: (id: number) =>
    queryOptions({
      queryKey: ["marketplace", "syncs", "detail", id],
      queryFn: async ({ signal }) =>
        one(await api.get("marketplace/syncs/{id}", { path: { id }, signal })),
      staleTime: 0,
    }),
  rows: (id: number, only: { kind?: DifferenceKind; state?: RowState }, page: number) =>
    queryOptions({
      queryKey: ["marketplace", "syncs", "rows", id, only, page],
      queryFn: ({ signal }) =>
        api.get("marketplace/syncs/{id}/rows", {
          path: { id },
          query: { ...only, page, page_size: ROWS_PAGE },
          signal,
        }),
      placeholderData: keepPreviousData,
    }),
};
