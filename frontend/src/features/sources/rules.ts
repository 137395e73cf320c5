/** What the figures of a source mean in words. apps/sources/rules decides. */
import { formatNumber } from "@/shared/lib/format";
import { valueText } from "@/shared/lib/worth";
import type { Source, SourceBatch } from "./model";

/** A sum over many items, in the places that money is counted in. */
export const sumText = (amount: string | number | null): string => valueText(amount);

/** "4.8 %": the share of pieces that were not LEGO; "unknown" until they are counted. */
export function shareText(share: string | null): string {
  if (share === null) return "unknown";
  const percent = Number(share) * 100;
  return percent > 0 && percent < 0.05 ? "under 0.1 %" : `${formatNumber(percent, 1)} %`;
}

export type Verdict = "gain" | "loss" | "unknown";

export function verdictOf(ratio: string | null): Verdict {
  if (ratio === null) return "unknown";
  return Number(ratio) >= 1 ? "gain" : "loss";
}

export type PricePoint = { id: number; name: string; at: string; perKg: number };

/** The price of a kilogram by batch, oldest first; batches without cost or weight are left out. */
export function pricesPerKg(batches: readonly SourceBatch[]): PricePoint[] {
  return batches
    .filter(({ cost_total, gross_weight }) => cost_total !== null && Number(gross_weight) > 0)
    .map(({ id, name, created_at, cost_total, gross_weight }) => ({
      id,
      name,
      at: created_at,
      perKg: (Number(cost_total) * 1000) / Number(gross_weight),
    }))
    .sort((one, other) => one.at.localeCompare(other.at));
}

/** The sources whose return is known, best first. */
export function returnsOf(sources: readonly Source[]): { source: Source; ratio: number }[] {
  return sources
    .filter(({ return_on_cost }) => return_on_cost !== null)
    .map((source) => ({ source, ratio: Number(source.return_on_cost) }))
    .sort((one, other) => other.ratio - one.ratio);
}
