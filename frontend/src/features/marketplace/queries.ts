import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { Connection, PriceRule } from "./model";

const MINUTES = 60_000;

export const marketplaceQueries = {
  all: () => ["marketplace"] as const,
  /** The connection, and what is left of today's calls. */
  connection: () =>
    queryOptions({
      queryKey: ["marketplace", "connection"],
      queryFn: async ({ signal }) =>
        one(await api.get<Connection>("marketplaceConnection", undefined, { signal })),
    }),
  priceRule: () =>
    queryOptions({
      queryKey: ["marketplace", "priceRule"],
      queryFn: async ({ signal }) =>
        one(await api.get<PriceRule>("priceRule", undefined, { signal })),
      staleTime: 5 * MINUTES,
    }),
};
