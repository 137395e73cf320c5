import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { pagesOf } from "@/shared/api/pages";
import type { RowKind } from "./model";

export const ROWS_PAGE = 50;
const HISTORY_PAGE = 20;

/** Under the inventory's keys: a change of stock changes the preview of an import. */
export const syncQueries = {
  all: () => ["inventory", "syncs"] as const,
  history: () => pagesOf(["inventory", "syncs", "history"], HISTORY_PAGE, "inventorySyncs"),
  detail: (id: number) =>
    queryOptions({
      queryKey: ["inventory", "syncs", "detail", id],
      queryFn: async ({ signal }) =>
        one(await api.get("inventorySyncs/{id}", { path: { id }, signal })),
      staleTime: 0,
    }),
  /** The newest import if it waits for a decision, or null: older previews are overtaken. */
  undecided: () =>
    queryOptions({
      queryKey: ["inventory", "syncs", "undecided"],
      queryFn: async ({ signal }) => {
        const answer = await api.get("inventorySyncs", { query: { page_size: 1 }, signal });
        const newest = answer.data[0];
        return newest?.state === "previewed" ? newest : null;
      },
    }),
  rows: (id: number, kind: RowKind, page: number) =>
    queryOptions({
      queryKey: ["inventory", "syncs", "rows", id, kind, page],
      queryFn: ({ signal }) =>
        api.get("inventorySyncs/{id}/rows", {
          path: { id },
          query: { kind, page, page_size: ROWS_PAGE },
          signal,
        }),
      placeholderData: keepPreviousData,
    }),
  binGroups: (id: number) =>
    queryOptions({
      queryKey: ["inventory", "syncs", "binGroups", id],
      queryFn: async ({ signal }) =>
        (await api.get("inventorySyncs/{id}/binGroups", { path: { id }, signal })).data,
    }),
};
