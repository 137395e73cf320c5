/** Which answers a mutation makes stale: said by its `meta`, done in one place. */
import type { Mutation, QueryClient } from "@tanstack/react-query";
import { invalidate, type Tag } from "@/shared/lib/tags";

export type MakesStale = { stale?: readonly Tag[] };

export function refetchStale(client: QueryClient, { meta }: Pick<Mutation, "meta">): void {
  if (meta?.stale) void invalidate(client, ...meta.stale);
}
