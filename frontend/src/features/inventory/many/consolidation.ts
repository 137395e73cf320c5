/** Consolidating as the wire spells it. apps/inventory/rules/consolidation.py decides. */

import { type MutationMeta, queryOptions, useMutation } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { BodyOf, Schema } from "@/shared/api/wire";
import type { ChosenRows } from "../model";
import { useRefreshStock } from "../mutations";

export type ConsolidationGroup = Schema<"ConsolidatedGroup">;

export type Consolidation = Schema<"ConsolidatedRow">;

export type ConsolidationOptions = Omit<
  BodyOf<"post", "inventoryItems/consolidate">,
  "ids" | "filter" | "dry_run" | "mark" | "modes" | "chosen"
> &
  Required<Pick<BodyOf<"post", "inventoryItems/consolidate">, "modes" | "chosen">>;

export const targets = [
  { value: "fullest", label: "The row with most pieces" },
  { value: "most_free", label: "The location with most room" },
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

export const consolidationPreview = (rows: ChosenRows, options: ConsolidationOptions) =>
  queryOptions({
    queryKey: ["previews", "consolidation", rows, options],
    queryFn: async ({ signal }) =>
      one(
        await api.post("inventoryItems/consolidate", {
          body: { ...rows, ...options, dry_run: true },
          signal,
          timeoutMs: 120_000,
        }),
      ) as Consolidation, // a dry run is never a job
    placeholderData: (before) => before,
    gcTime: 0,
    staleTime: 0,
  });

export function useConsolidate(meta?: MutationMeta) {
  const refresh = useRefreshStock();
  return useMutation({
    meta,
    mutationFn: async (input: { rows: ChosenRows; options: ConsolidationOptions; mark: string }) =>
      one(
        await api.post("inventoryItems/consolidate", {
          body: { ...input.rows, ...input.options, mark: input.mark },
          timeoutMs: 120_000,
        }),
      ),
    onSuccess: refresh,
  });
}
