import { queryOptions } from "@tanstack/react-query";
import { queryOne, queryRows } from "@/shared/api/queries";
import type { Connection } from "./model";
import { isLive } from "./prices/model";

const MINUTES = 60_000;
const SECONDS = 4_000;

export const marketplaceQueries = {
  /** The connection, and what is left of today's calls: of several the first, or the one named. */
  connection: () => queryOne(["marketplace", "connection"], "marketplaceConnection"),
  connectionAt: (marketplace: Connection["marketplace"]) =>
    queryOne(["marketplace", "connection", marketplace], "marketplaceConnection", {
      query: { marketplace },
    }),
  lotInChannels: (id: number) =>
    queryRows(["marketplace", "channelLots", id], "marketplace/channelLots/{id}", {
      path: { id },
    }),
  priceRule: () => ({
    ...queryOne(["marketplace", "priceRule"], "priceRule"),
    staleTime: 5 * MINUTES,
  }),
  /** The progress of getting many lots' prices; refetched while it runs. */
  priceRun: () =>
    queryOptions({
      ...queryOne(["marketplace", "priceRun"], "marketplace/priceRun"),
      refetchInterval: ({ state: { data } }) =>
        data && isLive(data) && data.lots_left > 0 ? (data.waitsUntil ? MINUTES : SECONDS) : false,
    }),
};
