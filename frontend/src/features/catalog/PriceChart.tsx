import { formatDate, formatFigure } from "@/shared/lib/format";
import { LineChart } from "@/shared/ui/charts";
import type { PricePoint } from "./model";
import { niceTop, pricesByDay } from "./priceLines";

/** What a lot sold for and was asked for, day by day. */
export function PriceChart(props: {
  points: readonly PricePoint[];
  condition: "N" | "U";
  currency: string;
}) {
  const { points, condition, currency } = props;
  const { days, lines } = pricesByDay(points, condition);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) {
    return <p className="text-muted text-sm">No prices of this condition have been kept yet.</p>;
  }
  const newest = lines.map(({ id, label }) => {
    const day = days.findLast(({ amounts }) => id in amounts);
    return `${label} ${formatFigure(day?.amounts[id], currency)}`;
  });
  return (
    <LineChart
      label={`Prices from ${formatDate(first.day)} to ${formatDate(last.day)}. Last: ${newest.join(", ")}.`}
      points={days.map(({ day, amounts }) => ({
        x: Date.parse(day),
        title: formatDate(day),
        amounts,
      }))}
      lines={lines}
      top={niceTop(Math.max(...days.flatMap(({ amounts }) => Object.values(amounts))))}
      amountText={(amount) => formatFigure(amount, currency)}
      ends={[formatDate(first.day), formatDate(last.day)]}
      className="h-48 max-w-2xl"
    />
  );
}
