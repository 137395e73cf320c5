import { clsx } from "clsx";
import { formatDate, formatMoney } from "@/shared/lib/format";
import type { PricePoint } from "./model";
import { chartOf } from "./priceLines";

const box = { width: 560, height: 160 };
const margin = { left: 68, right: 8, top: 12, bottom: 26 };

/** The drawing shrinks to a phone's width, and its text must stay readable. */
const axisText = "fill-muted text-[11px] max-sm:text-[19px]";

/** Each line by colour and by dash, so that they differ without colours too. */
const looks: Record<string, { stroke: string; fill: string; dash?: string }> = {
  sold: { stroke: "stroke-accent", fill: "fill-accent" },
  asked: { stroke: "stroke-accent", fill: "fill-accent", dash: "5 4" },
  soldUs: { stroke: "stroke-warning", fill: "fill-warning" },
  askedUs: { stroke: "stroke-warning", fill: "fill-warning", dash: "5 4" },
};

/** What a lot sold for and was asked for, day by day. */
export function PriceChart(props: {
  points: readonly PricePoint[];
  condition: "N" | "U";
  currency: string;
}) {
  const { points, condition, currency } = props;
  const chart = chartOf(points, condition, box);
  if (!chart) {
    return <p className="text-muted text-sm">No prices of this condition have been kept yet.</p>;
  }
  const width = margin.left + box.width + margin.right;
  const height = margin.top + box.height + margin.bottom;
  const newest = chart.lines.map(
    ({ label, points: all }) => `${label} ${formatMoney(all.at(-1)?.amount, currency)}`,
  );
  return (
    <figure className="flex flex-col gap-2">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Prices from ${formatDate(chart.from)} to ${formatDate(chart.to)}. Last: ${newest.join(", ")}.`}
        className="h-auto w-full max-w-2xl"
      >
        <g transform={`translate(${margin.left} ${margin.top})`}>
          {chart.ticks.map(({ amount, y }) => (
            <g key={amount}>
              <line x1={0} x2={box.width} y1={y} y2={y} className="stroke-line" />
              <text x={-8} y={y + 4} textAnchor="end" className={axisText}>
                {formatMoney(amount, currency)}
              </text>
            </g>
          ))}
          {chart.lines.map((line) => (
            <g key={line.id}>
              <polyline
                points={line.points.map(({ x, y }) => `${x},${y}`).join(" ")}
                strokeDasharray={looks[line.id]?.dash}
                className={clsx("fill-none stroke-2", looks[line.id]?.stroke)}
              />
              {line.points.map(({ day, amount, x, y }) => (
                <circle key={day} cx={x} cy={y} r={3} className={looks[line.id]?.fill}>
                  <title>{`${line.label}, ${formatDate(day)}: ${formatMoney(amount, currency)}`}</title>
                </circle>
              ))}
            </g>
          ))}
          <text y={box.height + 18} className={axisText}>
            {formatDate(chart.from)}
          </text>
          {chart.from !== chart.to && (
            <text x={box.width} y={box.height + 18} textAnchor="end" className={axisText}>
              {formatDate(chart.to)}
            </text>
          )}
        </g>
      </svg>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
        {chart.lines.map(({ id, label }) => (
          <span key={id} className="flex items-center gap-1.5">
            <svg aria-hidden="true" viewBox="0 0 20 4" className="h-1 w-5">
              <line
                x1={0}
                x2={20}
                y1={2}
                y2={2}
                strokeDasharray={looks[id]?.dash}
                className={clsx("stroke-[3px]", looks[id]?.stroke)}
              />
            </svg>
            {label}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
