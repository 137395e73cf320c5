import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import type { ListParams } from "@/shared/table/column";
import type { Source } from "./model";

/** How many sources a chooser offers at once. */
const MOST_OFFERED = 500;

export const sourceQueries = {
  all: () => ["sources"] as const,
  lists: () => ["sources", "list"] as const,
  /** Every source by name, for choosing one. */
  options: () =>
    queryOptions({
      queryKey: ["sources", "options"],
      queryFn: async ({ signal }) => {
        const params = { page_size: MOST_OFFERED, ordering: "name" };
        return (await api.get<Source>("sources", params, { signal })).data;
      },
    }),
};

export const fetchSources = (params: ListParams, signal: AbortSignal) =>
  api.get<Source>("sources", params, { signal });
