import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";

/** How many rows a list holds; one row is fetched to learn it. */
async function total(endpoint: string, signal: AbortSignal, params = {}): Promise<number> {
  const answer = await api.get(endpoint, { page: 1, page_size: 1, ...params }, { signal });
  return answer.pagination?.total_items ?? 0;
}

export type Counts = { lots: number; batches: number; locations: number; sources: number };

export const homeQueries = {
  counts: () =>
    queryOptions({
      queryKey: ["home", "counts"],
      queryFn: async ({ signal }): Promise<Counts> => {
        const [lots, batches, locations, sources] = await Promise.all([
          total("inventoryItems", signal),
          total("batches", signal),
          total("inventoryLocations", signal),
          total("sources", signal),
        ]);
        return { lots, batches, locations, sources };
      },
    }),
};
