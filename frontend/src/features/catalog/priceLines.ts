/** The price history of a lot as lines of a chart: the position of each day and price. */
import { niceTop } from "@/shared/lib/axis";
import type { PricePoint } from "./model";

export type Measure = "avg_sold_price" | "avg_inventory_price";
export type Series = { id: string; label: string; region: "us" | "global"; measure: Measure };

/** Sold against asked, US against worldwide. */
const series: readonly Series[] = [
  { id: "sold", label: "Sold, worldwide", region: "global", measure: "avg_sold_price" },
  { id: "asked", label: "Asked, worldwide", region: "global", measure: "avg_inventory_price" },
  { id: "soldUs", label: "Sold, US", region: "us", measure: "avg_sold_price" },
  { id: "askedUs", label: "Asked, US", region: "us", measure: "avg_inventory_price" },
];

export type Line = Series & { points: { day: string; amount: number; x: number; y: number }[] };
export type Chart = {
  lines: Line[];
  from: string;
  to: string;
  ticks: { amount: number; y: number }[];
};

const DAY_MS = 86_400_000;

/** Lines in a box of `width` × `height`; null where no day has a price. */
export function chartOf(
  points: readonly PricePoint[],
  condition: "N" | "U",
  { width, height }: { width: number; height: number },
): Chart | null {
  const mine = points.filter((point) => point.condition === condition);
  const values = series.map((each) => ({
    ...each,
    points: mine.flatMap((point) => {
      const amount = point.region === each.region ? point[each.measure] : null;
      return amount === null ? [] : [{ day: point.day, amount: Number(amount) }];
    }),
  }));
  const all = values.flatMap((line) => line.points);
  if (all.length === 0) return null;
  const days = all.map(({ day }) => Date.parse(day));
  const [from, to] = [Math.min(...days), Math.max(...days)];
  const top = niceTop(Math.max(...all.map(({ amount }) => amount)));
  const x = (day: string) =>
    from === to ? width / 2 : ((Date.parse(day) - from) / (to - from)) * width;
  const y = (amount: number) => height - (amount / top) * height;
  return {
    lines: values
      .filter((line) => line.points.length > 0)
      .map((line) => ({
        ...line,
        points: line.points.map((point) => ({ ...point, x: x(point.day), y: y(point.amount) })),
      })),
    from: isoDay(from),
    to: isoDay(to),
    ticks: [0, 0.5, 1].map((part) => ({ amount: top * part, y: y(top * part) })),
  };
}

const isoDay = (ms: number) =>
  new Date(Math.round(ms / DAY_MS) * DAY_MS).toISOString().slice(0, 10);
