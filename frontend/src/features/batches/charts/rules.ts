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
