import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** What an answer is about: every query key begins with one. */
export type Tag =
  | "auctions"
  | "backups"
  | "batches"
  | "batchItems"
  | "books"
  | "buildSearches"
  | "catalog"
  | "containerTypes"
  | "exports"
  | "eyes"
  | "find"
  | "home"
  | "inventory"
  | "jobs"
  | "locations"
  | "marketplace"
  | "orders"
  | "previews"
  | "profile"
  | "reports"
  | "sources"
  | "stationSittings"
  | "userSets";

/** What a change of stock makes stale. */
export const STOCK = ["inventory", "locations", "batches", "batchItems", "home"] as const;

declare module "@tanstack/react-query" {
  interface Register {
    queryKey: readonly [Tag, ...unknown[]];
  }
}

/**
 * Marks the answers with these tags, or below these keys, as stale. Those on the page are fetched
 * again; the promise resolves when they are there.
 */
export async function invalidate(
  client: QueryClient,
  ...what: readonly (Tag | QueryKey)[]
): Promise<void> {
  await Promise.all(
    what.map((each) =>
      client.invalidateQueries({ queryKey: typeof each === "string" ? [each] : each }),
    ),
  );
}
