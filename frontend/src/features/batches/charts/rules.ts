import type { Batch } from "../model";
import type { Deviation } from "./model";

const signed = (percent: number) => (percent < 0 ? `−${-percent}` : `+${percent}`);

/** "under −50 %", "−10 to +10 %", "from +100 %". */
export function stepName({ from_percent: from, below_percent: below }: Deviation): string {
  if (from === null) return `under ${signed(below ?? 0)} %`;
  return below === null ? `from ${signed(from)} %` : `${signed(from)} to ${signed(below)} %`;
}

/** Whether a step lies so far off that its prices want a look. */
export function isBeyond({ from_percent: from, below_percent: below }: Deviation): boolean {
  return from === null || below === null;
}

/** The least of 1, 2, 2.5, 5, 10, 20, … that is not below `most`: where an axis ends. */
export function axisEnd(most: number): number {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 2.5, 5].find((one) => one * power >= most * 0.999_999) ?? 10;
  return step * power;
}

export type Dot = Pick<Batch, "id" | "name"> & { cost: number; value: number };

/** The batches that a chart of value over cost can show: what cost nothing, or nobody knows, is not. */
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
