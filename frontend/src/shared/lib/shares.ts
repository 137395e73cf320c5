/** Lengths of bars from 0 to 1, relative to the longest. */
export function shares(values: readonly number[]): number[] {
  const most = Math.max(0, ...values);
  return values.map((value) => (most > 0 ? Math.max(0, value) / most : 0));
}
