import { formatCount, formatNumber } from "@/shared/lib/format";
import { valueText } from "@/shared/lib/worth";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { rowsIn } from "../rules";
import { type AbcClass, abcOf, curveLine } from "./abc";
import type { CurvePoint } from "./model";

const box = { width: 360, height: 200 };
const margin = { left: 44, right: 10, top: 10, bottom: 24 };
const axisText = "fill-muted text-[11px]";
/** Where A and B end, as shares of the value. */
const ENDS = [0.8, 0.95];

/** The curve, and its three classes in figures: it reads without the picture too. */
export function AbcChart(props: { curve: readonly CurvePoint[]; currency: string | undefined }) {
  const { curve, currency } = props;
  const classes = abcOf(curve);
  const total = curve.at(-1)?.rows ?? 0;
  if (classes.length === 0) {
    return <p className="text-muted text-sm">Nothing in stock has a price yet.</p>;
  }
  const share = (rows: number) => `${formatNumber((100 * rows) / total, 1)} %`;
  const columns: SimpleColumn<AbcClass>[] = [
    { header: "Class", cell: ({ name }) => <strong className="font-semibold">{name}</strong> },
    { header: "Rows", align: "end", cell: ({ rows }) => formatCount(rows) },
    { header: "Of all rows", align: "end", cell: ({ rows }) => share(rows) },
    {
      header: "Value",
      align: "end",
      cell: ({ value }) => valueText(value, currency),
    },
  ];
  const [dearest] = classes;
  return (
    <figure className="flex flex-col gap-3">
      <svg
        viewBox={`0 0 ${margin.left + box.width + margin.right} ${margin.top + box.height + margin.bottom}`}
        role="img"
        aria-label={`${rowsIn(dearest?.rows ?? 0)} of ${formatCount(total)} make 80 % of the value.`}
        className="mx-auto h-auto w-full max-w-xl"
      >
        <g transform={`translate(${margin.left} ${margin.top})`}>
          {[0, ...ENDS, 1].map((end) => (
            <g key={end}>
              <line
                x1={0}
                x2={box.width}
                y1={box.height * (1 - end)}
                y2={box.height * (1 - end)}
                strokeDasharray={ENDS.includes(end) ? "4 4" : undefined}
                className="stroke-line"
              />
              {end !== 0.95 && (
                <text x={-6} y={box.height * (1 - end) + 4} textAnchor="end" className={axisText}>
                  {end * 100} %
                </text>
              )}
            </g>
          ))}
          <polyline points={curveLine(curve, box)} className="fill-none stroke-2 stroke-accent" />
          <text y={box.height + 17} className={axisText}>
            0 rows
          </text>
          <text x={box.width} y={box.height + 17} textAnchor="end" className={axisText}>
            {formatCount(total)} rows
          </text>
        </g>
      </svg>
      <SimpleTable
        caption="Classes by value"
        columns={columns}
        rows={classes}
        getKey={({ name }) => name}
      />
    </figure>
  );
}
