/** The price history of a lot as lines of a chart. */
import type { ChartLine } from "@/shared/ui/chart/model";
import type { PricePoint } from "./model";

type Series = ChartLine & {
  region: "us" | "global";
  measure: "avg_sold_price" | "avg_inventory_price";
};

/** Sold against asked, US against worldwide. */
const series: readonly Series[] = [
  {
    id: "sold",
    label: "Sold, worldwide",
    tone: "accent",
    region: "global",
    measure: "avg_sold_price",
  },
  {
    id: "asked",
    label: "Asked, worldwide",
    tone: "accent",
    isDashed: true,
    region: "global",
    measure: "avg_inventory_price",
  },
  { id: "soldUs", label: "Sold, US", tone: "warning", region: "us", measure: "avg_sold_price" },
  {
    id: "askedUs",
    label: "Asked, US",
    tone: "warning",
    isDashed: true,
    region: "us",
    measure: "avg_inventory_price",
  },
];

export type DayPrices = { day: string; amounts: Record<string, number> };

/** The days of a condition that have a price, in their order, and the lines through them. */
export function pricesByDay(
  points: readonly PricePoint[],
  condition: "N" | "U",
): { days: DayPrices[]; lines: ChartLine[] } {
  const byDay = new Map<string, DayPrices>();
  for (const point of points) {
    if (point.condition !== condition) continue;
    for (const { id, region, measure } of series) {
      const amount = point.region === region ? point[measure] : null;
      if (amount === null) continue;
      const day = byDay.get(point.day) ?? { day: point.day, amounts: {} };
      day.amounts[id] = Number(amount);
      byDay.set(point.day, day);
    }
  }
  const days = [...byDay.values()].sort((one, other) => one.day.localeCompare(other.day));
  return { days, lines: series.filter(({ id }) => days.some(({ amounts }) => id in amounts)) };
}

/** Rounds up to the next 1, 2 or 5 times a power of ten, so that an axis ends on a round number. */
export function niceTop(largest: number): number {
  if (largest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  const step = [1, 2, 5, 10].find((each) => largest <= each * power * (1 + 1e-9)) ?? 10;
  return step * power;
}
