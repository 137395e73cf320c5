import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { isLive } from "./prices/model";

const MINUTES = 60_000;
const SECONDS = 4_000;

export const marketplaceQueries = {
  /** The connection, and what is left of today's calls. */
  connection: () =>
    queryOptions({
      queryKey: ["marketplace", "connection"],
      queryFn: async ({ signal }) => one(await api.get("marketplaceConnection", { signal })),
    }),
  priceRule: () =>
    queryOptions({
      queryKey: ["marketplace", "priceRule"],
      queryFn: async ({ signal }) => one(await api.get("priceRule", { signal })),
      staleTime: 5 * MINUTES,
    }),
  /** The progress of getting many lots' prices; refetched while it runs. */
  priceRun: () =>
    queryOptions({
      queryKey: ["marketplace", "priceRun"],
      queryFn: async ({ signal }) => one(await api.get("marketplace/priceRun", { signal })),
      refetchInterval: ({ state: { data } }) =>
        data && isLive(data) && data.lots_left > 0 ? (data.waitsUntil ? MINUTES : SECONDS) : false,
    }),
};
