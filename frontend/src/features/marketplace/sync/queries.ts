import { keepPreviousData } from "@tanstack/react-query";
import { queryOne, queryPage } from "@/shared/api/queries";
import type { DifferenceKind, RowState } from "./model";

export const storeSyncQueries = {
  detail: (id: number) => ({
    ...queryOne(["marketplace", "syncs", "detail", id], "marketplace/syncs/{id}", { path: { id } }),
    staleTime: 0,
  }),
  rows: (id: number, only: { kind?: DifferenceKind; state?: RowState }, page: number) => ({
    ...queryPage(["marketplace", "syncs", "rows", id, only, page], "marketplace/syncs/{id}/rows", {
      path: { id },
      query: { ...only, page, page_size: 50 },
    }),
    placeholderData: keepPreviousData,
  }),
};
