/** Axes of charts. */

/** Rounds up to the next 1, 2 or 5 times a power of ten, so that an axis ends on a round number. */
export function niceTop(largest: number): number {
  if (largest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  const step = [1, 2, 5, 10].find((each) => largest <= each * power * (1 + 1e-9)) ?? 10;
  return step * power;
}
