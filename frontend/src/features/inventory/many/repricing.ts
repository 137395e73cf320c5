/** Re-pricing rows of stock as the wire spells it. apps/inventory/services/reprice.py does it. */
import { queryOptions, useMutation } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { BodyOf, Schema } from "@/shared/api/wire";
import type { ChosenRows } from "../model";
import { useRefreshStock } from "../mutations";

export type PriceChange = Schema<"PriceChangeRow">;

export type Repriced = Schema<"RepricedRow">;

/** How prices are made; the rows are beside it. */
export type Repricing = Omit<
  BodyOf<"post", "inventoryItems/reprice">,
  "ids" | "filter" | "dry_run"
>;

const LONG = { timeoutMs: 120_000 };

/** What it would do; `asked` is the re-pricing as text, null while something is missing. */
export const repricingPreview = (rows: ChosenRows, asked: string | null) =>
  queryOptions({
    queryKey: ["previews", "repricing", rows, asked],
    queryFn: async ({ signal }) => {
      const how: Repricing = JSON.parse(asked ?? "{}");
      const body = { ...rows, ...how, dry_run: true };
      const answer = one(await api.post("inventoryItems/reprice", { body, ...LONG, signal }));
      return answer as Repriced; // a dry run is never a job
    },
    enabled: asked !== null,
    placeholderData: (before) => before,
    gcTime: 0,
    staleTime: 0,
  });

export function useReprice() {
  const refresh = useRefreshStock();
  return useMutation({
    meta: { tellsFailure: true },
    mutationFn: async (input: { rows: ChosenRows; how: Repricing }) =>
      one(
        await api.post("inventoryItems/reprice", {
          body: { ...input.rows, ...input.how },
          ...LONG,
        }),
      ),
    onSuccess: refresh,
  });
}
