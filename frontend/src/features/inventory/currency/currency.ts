/** The account's currency as the wire spells it. apps/inventory/services/currency.py changes it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { isJob, notJob } from "@/shared/api/startedJobs";
import type { BodyOf, Schema } from "@/shared/api/wire";
import { tellAct } from "@/shared/table/editing/tellAct";

export type CurrencyChange = Schema<"CurrencyChangedRow">;
type Asked = Omit<BodyOf<"post", "inventoryItems/changeCurrency">, "dry_run">;

const LONG = { timeoutMs: 120_000 };

/** What it would do. Without a rate the numbers are kept. */
export async function previewCurrency(asked: Asked, signal?: AbortSignal): Promise<CurrencyChange> {
  const body = { ...asked, dry_run: true };
  const answer = one(await api.ask("inventoryItems/changeCurrency", { body, ...LONG, signal }));
  return notJob<CurrencyChange>(answer);
}

export const hasAmounts = (change: CurrencyChange): boolean =>
  change.lots + change.batch_items + change.batches + change.sets > 0;

/** Changes the currency; every page shows amounts, so everything is fetched again. */
export function useChangeCurrency() {
  const client = useQueryClient();
  const refresh = () =>
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "previews" });
  return useMutation({
    meta: { tellsFailure: true },
    mutationFn: async (body: Asked) =>
      one(await api.post("inventoryItems/changeCurrency", { body, ...LONG })),
    onSuccess: (done) => {
      refresh();
      if (isJob(done)) return;
      const words = `Prices are in ${done.currency} now`;
      void tellAct({
        table: "inventory",
        label: words,
        words,
        toast: { duration: 12_000 },
        acts: [{ id: Number(done.act_id) }],
        refresh,
      });
    },
  });
}
