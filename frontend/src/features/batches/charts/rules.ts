import type { Batch } from "../model";
import type { Deviation } from "./model";

const signed = (percent: number) => (percent < 0 ? `−${-percent}` : `+${percent}`);

/** "under −50 %", "−10 to +10 %", "from +100 %". */
export function stepName({ from_percent: from, below_percent: below }: Deviation): string {
  if (from === null) return `under ${signed(below ?? 0)} %`;
  return below === null ? `from ${signed(from)} %` : `${signed(from)} to ${signed(below)} %`;
}

/** Whether a step is so far off that its prices should be checked. */
export function isBeyond({ from_percent: from, below_percent: below }: Deviation): boolean {
  return from === null || below === null;
}

/** The powers of ten that hold all amounts between them: [1, 10, 100]. At least two. */
export function decadesOf(amounts: readonly number[]): number[] {
  const sizes = amounts.filter((amount) => amount > 0).map(Math.log10);
  if (sizes.length === 0) return [1, 10];
  const first = Math.floor(Math.min(...sizes) + 1e-9);
  const last = Math.max(first + 1, Math.ceil(Math.max(...sizes) - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
}

export type Dot = Pick<Batch, "id" | "name"> & { cost: number; value: number };

/** The batches that a chart of value over cost can show: those with a known cost above 0. */
export function dotsOf(
  batches: readonly Pick<Batch, "id" | "name" | "cost_total" | "total_value">[],
): Dot[] {
  return batches
    .filter(({ cost_total }) => Number(cost_total) > 0)
    .map(({ id, name, cost_total, total_value }) => ({
      id,
      name,
      cost: Number(cost_total),
      value: Number(total_value),
    }));
}
