import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
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
  twins: () =>
    queryOptions({
      queryKey: ["sources", "twins"],
      queryFn: async ({ signal }) => (await api.get("sources/twins", { signal })).data,
    }),
  detail: (id: number) =>
    queryOptions({
      queryKey: ["sources", "detail", id],
      queryFn: async ({ signal }) => one(await api.get("sources/{id}", { path: { id }, signal })),
    }),
  /** The newest batches that came from it. Under the batches' keys: what changes them changes these. */
  batches: (id: number) =>
    queryOptions({
      queryKey: ["batches", "ofSource", id],
      queryFn: async ({ signal }) => {
        const query = { source: String(id), ordering: "-createdAt", page_size: MOST_BATCHES };
        const { data, pagination } = await api.get("batches", {
          query: { ...query, is_archived: "all" },
          signal,
        });
        return { batches: data, total: pagination?.total_items ?? data.length };
      },
    }),
  /** The sources that batches come from, by what was spent at them. */
  used: () =>
    queryOptions({
      queryKey: ["sources", "used"],
      queryFn: async ({ signal }) => {
        const query = { used: true, ordering: "-spent", page_size: MOST_DRAWN };
        const { data, pagination } = await api.get("sources", { query, signal });
        return { sources: data, total: pagination?.total_items ?? data.length };
      },
    }),
  /** Every source by name, for choosing one. */
  options: () =>
    queryOptions({
      queryKey: ["sources", "options"],
      queryFn: async ({ signal }) => {
        const params = { page_size: MOST_OFFERED, ordering: "name" };
        return (await api.get("sources", { query: params, signal })).data;
      },
    }),
};

export const fetchSources = (params: ListParams, signal: AbortSignal) =>
  api.get("sources", { filters: params, signal });
