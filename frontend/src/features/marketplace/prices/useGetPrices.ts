import { useMutation, useQueryClient } from "@tanstack/react-query";
import { followJob } from "@/features/jobs/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { invalidate } from "@/shared/lib/tags";
import { toast } from "@/shared/ui/toast";
import { marketplaceQueries } from "../queries";
import { type PricesOf, wantedText } from "./model";

const ONCE = { retry: false, timeoutMs: 60_000 };

function ask(wanted: PricesOf) {
  switch (wanted.of) {
    case "lots":
      return api.post("marketplace/priceRun", { body: wanted.body, ...ONCE });
    case "partOut":
      return api.post("batches/partOut/prices", { body: wanted.body, ...ONCE });
    case "batch": {
      const { id, body } = wanted;
      return api.post("batches/{id}/getPrices", { path: { id }, body, ...ONCE });
    }
  }
}

/** Starts getting the prices of lots and says what came of asking. */
export function useGetPrices() {
  const client = useQueryClient();
  return useMutation({
    meta: { tellsFailure: true },
    mutationFn: async (wanted: PricesOf) => one(await ask(wanted)),
    onSuccess: (told) => {
      client.setQueryData(marketplaceQueries.priceRun().queryKey, told);
      if (told.job_id && told.lots_left > 0) followJob(told.job_id);
      // In the demo, the first person who asks gets the demo store connected.
      void invalidate(client, marketplaceQueries.connection().queryKey);
      const { words, detail } = wantedText(told);
      if (told.lots_wanted > 0) toast.success(words, { detail });
      else toast.info(words, { detail });
    },
  });
}

/** Stops a run of prices, or leaves one that failed. */
export function useStopPrices(onStopped: () => void) {
  const client = useQueryClient();
  return useMutation({
    meta: { stale: ["jobs"], tellsFailure: true },
    mutationFn: async () => one(await api.delete("marketplace/priceRun")),
    onSuccess: (run) => {
      client.setQueryData(marketplaceQueries.priceRun().queryKey, run);
      onStopped();
    },
  });
}
