import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { BodyOf } from "@/shared/api/wire";
import { invalidate } from "@/shared/lib/tags";
import type { Connection, Secrets } from "./model";
import { marketplaceQueries } from "./queries";

/** A person waits for one call to the marketplace: it is not made three times. */
const ONCE = { retry: false, timeoutMs: 60_000 } as const;

function useConnectionMutation<Input>(change: (input: Input) => Promise<Connection>) {
  const client = useQueryClient();
  const { queryKey } = marketplaceQueries.connection();
  return useMutation({
    mutationFn: change,
    onSuccess: (connection) => {
      const first = client.getQueryData<Connection>(queryKey);
      if (!first || first.state === "none" || first.marketplace === connection.marketplace) {
        client.setQueryData(queryKey, connection);
      } else {
        void invalidate(client, queryKey);
      }
      void invalidate(client, "home", "orders");
    },
    // A call may have been counted although it failed.
    onError: () => void invalidate(client, queryKey),
  });
}

/** Of several stores the one named. */
type Named = Connection["marketplace"] | undefined;

const at = (marketplace: Named) => (marketplace ? { query: { marketplace } } : {});

const test = async (marketplace: Named) =>
  one(await api.post("marketplaceConnection/test", { ...at(marketplace), ...ONCE }));

/** Stores the secrets of a store and tries them. Refused secrets are an answer, not an error. */
export function useConnect() {
  return useConnectionMutation(async (secrets: Secrets) => {
    await api.put("marketplaceConnection", { body: secrets, ...ONCE });
    return test("marketplace" in secrets ? secrets.marketplace : undefined);
  });
}

export function useConnectDemo() {
  return useConnectionMutation(async (marketplace: Connection["marketplace"]) => {
    await api.post("marketplaceConnection/demo", { body: { marketplace }, ...ONCE });
    return test(marketplace);
  });
}

export const useTestConnection = () => useConnectionMutation(test);

export const useDisconnect = () =>
  useConnectionMutation(async (marketplace: Named) =>
    one(await api.delete("marketplaceConnection", at(marketplace))),
  );

/** Leaves a store out of syncs, or takes it in again. */
export const usePause = () =>
  useConnectionMutation(async ({ site, isPaused }: { site: Named; isPaused: boolean }) =>
    one(await api.patch("marketplaceConnection", { ...at(site), body: { is_paused: isPaused } })),
  );

/** How much of a day's calls *Get prices* may use. */
export function useSaveGuideShare() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (share: number) =>
      one(await api.patch("marketplaceConnection", { body: { guide_share: share } })),
    onSuccess: (connection) => {
      client.setQueryData(marketplaceQueries.connection().queryKey, connection);
      void invalidate(client, marketplaceQueries.priceRun().queryKey);
    },
  });
}

export function useSavePriceRule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (changes: BodyOf<"patch", "priceRule">) =>
      one(await api.patch("priceRule", { body: changes })),
    onSuccess: (rule) => {
      client.setQueryData(marketplaceQueries.priceRule().queryKey, rule);
      void invalidate(client, ["catalog", "lots"]);
    },
  });
}

/** Starts asking the marketplace for the prices of lots; a toast shows the job. */
export function useRefreshPrices() {
  const client = useQueryClient();
  return useMutation({
    meta: { tellsFailure: true },
    mutationFn: async (lotIds: readonly number[]) =>
      one(await api.post("marketplace/priceRefreshes", { body: { lot_ids: lotIds }, ...ONCE })),
    onSuccess: () => {
      // The first refresh of the demo connects its store.
      void invalidate(client, marketplaceQueries.connection().queryKey);
    },
  });
}
