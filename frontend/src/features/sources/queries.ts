import { api } from "@/shared/api/client";
import { queryOne, queryPage, queryRows } from "@/shared/api/queries";
import type { ListParams } from "@/shared/table/column";

/** How many sources a chooser offers at once. */
const MOST_OFFERED = 500;
/** How many sources a chart compares. */
const MOST_DRAWN = 50;
/** How many of its batches a panel lists. */
const MOST_BATCHES = 100;

export const sourceQueries = {
  lists: () => ["sources", "list"] as const,
  /** Sources whose names differ only in capitals. */
  twins: () => queryRows(["sources", "twins"], "sources/twins"),
  detail: (id: number) => queryOne(["sources", "detail", id], "sources/{id}", { path: { id } }),
  /** The newest batches that came from it. Under the batches' keys: what changes them changes these. */
  batches: (id: number) =>
    queryPage(["batches", "ofSource", id], "batches", {
      query: {
        source: String(id),
        is_archived: "all",
        ordering: "-createdAt",
        page_size: MOST_BATCHES,
      },
    }),
  /** The sources that batches come from, by what was spent at them. */
  used: () =>
    queryPage(["sources", "used"], "sources", {
      query: { used: true, ordering: "-spent", page_size: MOST_DRAWN },
    }),
  /** Every source by name, for choosing one. */
  options: () =>
    queryRows(["sources", "options"], "sources", {
      query: { page_size: MOST_OFFERED, ordering: "name" },
    }),
};

export const fetchSources = (params: ListParams, signal: AbortSignal) =>
  api.get("sources", { filters: params, signal });
