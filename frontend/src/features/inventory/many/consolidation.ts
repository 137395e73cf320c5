/** Consolidating as the wire spells it. apps/inventory/rules/consolidation.py decides. */

import { type MutationMeta, useMutation } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { ApiError } from "@/shared/api/errors";
import { notJob } from "@/shared/api/startedJobs";
import type { BodyOf, Schema } from "@/shared/api/wire";
import { usePreview } from "@/shared/form/usePreview";
import { STOCK } from "@/shared/lib/tags";
import type { ChosenRows } from "../model";

const LONG = { timeoutMs: 120_000 };

export type ConsolidationGroup = Schema<"ConsolidatedGroup">;

export type Consolidation = Schema<"ConsolidatedRow">;

export type ConsolidationOptions = Omit<
  BodyOf<"post", "inventoryItems/consolidate">,
  "ids" | "filter" | "dry_run" | "mark" | "modes" | "chosen"
> &
  Required<Pick<BodyOf<"post", "inventoryItems/consolidate">, "modes" | "chosen">>;

export const targets = [
  { value: "fullest", label: "The row with most pieces" },
  { value: "most_free", label: "The bin with most room" },
  { value: "newest", label: "The newest row" },
] as const;

const modeLabels = {
  average: "Average by quantity",
  highest: "Highest",
  keep: "Keep the target's",
  fill: "Fill where empty",
  text: "Join the texts",
} as const;
type Mode = keyof typeof modeLabels;

/** What is offered for each field; the first is the default. */
export const fields: readonly { name: string; label: string; modes: readonly Mode[] }[] = [
  { name: "price", label: "Price", modes: ["average", "highest", "keep"] },
  { name: "cost", label: "Cost", modes: ["average", "highest", "keep"] },
  { name: "tiers", label: "Tier prices", modes: ["average", "keep"] },
  { name: "comments", label: "Comments", modes: ["text", "fill", "keep"] },
  { name: "remarks", label: "Remarks", modes: ["text", "fill", "keep"] },
  { name: "bulk", label: "Bulk", modes: ["fill", "keep"] },
  { name: "sale", label: "Sale", modes: ["fill", "keep"] },
  { name: "reserved", label: "Reserved", modes: ["fill", "keep"] },
  { name: "retain", label: "Retain", modes: ["fill", "keep"] },
  { name: "stockroom", label: "Stockroom", modes: ["keep", "fill"] },
];

export const modeOptions = (modes: readonly Mode[]) =>
  modes.map((mode) => ({ value: mode, label: modeLabels[mode] }));

const changeLabels: Record<string, string> = Object.fromEntries(
  fields.map(({ name, label }) => [name, label]),
);

/** The fields of the target that change, in words: "Price, Comments". */
export function changedWords(changes: Record<string, unknown>): string {
  const names = Object.keys(changes).map((name) =>
    /^t[qp]\d$/.test(name) ? "Tier prices" : (changeLabels[name] ?? name.replaceAll("_", " ")),
  );
  return [...new Set(names)].join(", ");
}

/** Null where no row is unconsolidated: a filter that matches nothing is refused. */
export const useConsolidationPreview = (rows: ChosenRows, options: ConsolidationOptions) =>
  usePreview(["consolidation"], { ...rows, ...options }, async (asked, signal) => {
    const body = { ...asked, dry_run: true };
    try {
      const answer = one(await api.ask("inventoryItems/consolidate", { body, ...LONG, signal }));
      return notJob<Consolidation>(answer);
    } catch (error) {
      if (error instanceof ApiError && error.status === 400 && "filter" in error.fields)
        return null;
      throw error;
    }
  });

export function useConsolidate(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: STOCK, ...meta },
    mutationFn: async (input: { rows: ChosenRows; options: ConsolidationOptions; mark: string }) =>
      one(
        await api.post("inventoryItems/consolidate", {
          body: { ...input.rows, ...input.options, mark: input.mark },
          ...LONG,
        }),
      ),
  });
}
