/** The ABC curve: how few of the dearest rows make most of the stock's value. */
import type { CurvePoint } from "./model";

/** A: the first 80 % of the value, B: the next 15, C: the rest. */
const UP_TO = [
  ["A", 0.8],
  ["B", 0.95],
  ["C", 1],
] as const;

export type AbcClass = { name: "A" | "B" | "C"; rows: number; value: number };

/** Rows and value of each class, read off the curve; nothing where nothing is worth anything. */
export function abcOf(curve: readonly CurvePoint[]): AbcClass[] {
  const last = curve.at(-1);
  const total = Number(last?.value ?? 0);
  if (!last || total === 0) return [];
  let rows = 0;
  let value = 0;
  return UP_TO.map(([name, share]) => {
    const end = share === 1 ? last.rows : Math.ceil(rowsAt(curve, share * total));
    const reached = share === 1 ? total : share * total;
    const one = { name, rows: Math.max(0, end - rows), value: reached - value };
    rows = Math.max(rows, end);
    value = reached;
    return one;
  });
}

/** How many of the dearest rows reach this value, between two points in proportion. */
function rowsAt(curve: readonly CurvePoint[], value: number): number {
  const next = curve.findIndex((point) => Number(point.value) >= value);
  const [to, from] = [curve[next], curve[next - 1]];
  if (!to || !from) return to?.rows ?? 0;
  const step = Number(to.value) - Number(from.value);
  return from.rows + ((to.rows - from.rows) * (value - Number(from.value))) / step;
}
