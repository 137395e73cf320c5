import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { pagesOf, queryOne, queryPage, queryRows } from "@/shared/api/queries";
import { may } from "@/shared/lib/role";
import type { InventorySync, RowKind } from "./model";

export const ROWS_PAGE = 50;
const HISTORY_PAGE = 20;

/** Under the inventory's keys: a change of stock changes the preview of an import. */
export const syncQueries = {
  all: () => ["inventory", "syncs"] as const,
  history: () =>
    pagesOf(["inventory", "syncs", "history"], HISTORY_PAGE, "inventorySyncs", {
      query: { target: "stock" },
    }),
  detail: (id: number) => ({
    ...queryOne(["inventory", "syncs", "detail", id], "inventorySyncs/{id}", { path: { id } }),
    staleTime: 0,
  }),
  /** The newest import if it waits for a decision, or null: older previews are overtaken. */
  undecided: (target: InventorySync["target"]) =>
    queryOptions({
      queryKey: ["inventory", "syncs", "undecided", target],
      enabled: () => may("read inventorySyncs"),
      queryFn: async ({ signal }) => {
        const answer = await api.get("inventorySyncs", { query: { page_size: 1, target }, signal });
        const newest = answer.data[0];
        return newest?.state === "previewed" ? newest : null;
      },
    }),
  rows: (id: number, kind: RowKind, page: number) => ({
    ...queryPage(["inventory", "syncs", "rows", id, kind, page], "inventorySyncs/{id}/rows", {
      path: { id },
      query: { kind, page, page_size: ROWS_PAGE },
    }),
    placeholderData: keepPreviousData,
  }),
  binGroups: (id: number) =>
    queryRows(["inventory", "syncs", "binGroups", id], "inventorySyncs/{id}/binGroups", {
      path: { id },
    }),
};
