/** Re-pricing rows of stock as the wire spells it. apps/inventory/services/reprice.py does it. */

import { useMutation } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { notJob } from "@/shared/api/startedJobs";
import type { BodyOf, Schema } from "@/shared/api/wire";
import { usePreview } from "@/shared/form/usePreview";
import { STOCK } from "@/shared/lib/tags";
import type { ChosenRows } from "../model";

export type PriceChange = Schema<"PriceChangeRow">;

export type Repriced = Schema<"RepricedRow">;

/** How prices are made; the rows are beside it. */
export type Repricing = Omit<
  BodyOf<"post", "inventoryItems/reprice">,
  "ids" | "filter" | "dry_run"
>;

const LONG = { timeoutMs: 120_000 };

/** What it would do; `how` is null while something is missing. */
export const useRepricingPreview = (rows: ChosenRows, how: Repricing | null) =>
  usePreview(["repricing"], how && { ...rows, ...how }, async (asked, signal) => {
    const body = { ...asked, dry_run: true };
    const answer = one(await api.ask("inventoryItems/reprice", { body, ...LONG, signal }));
    return notJob<Repriced>(answer);
  });

export function useReprice() {
  return useMutation({
    meta: { stale: STOCK, tellsFailure: true },
    mutationFn: reprice,
  });
}

export async function reprice({ rows, how }: { rows: ChosenRows; how: Repricing }) {
  return one(await api.post("inventoryItems/reprice", { body: { ...rows, ...how }, ...LONG }));
}
