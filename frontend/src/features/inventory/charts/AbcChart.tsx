import { formatCount, formatNumber } from "@/shared/lib/format";
import { valueText } from "@/shared/lib/worth";
import { LineChart } from "@/shared/ui/charts";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { rowsIn } from "../rules";
import { type AbcClass, abcOf } from "./abc";
import type { CurvePoint } from "./model";

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
    <div className="flex flex-col gap-3">
      <LineChart
        label={`${rowsIn(dearest?.rows ?? 0)} of ${formatCount(total)} make 80 % of the value.`}
        points={curve.map(({ rows, value }) => ({
          x: rows,
          title: `The dearest ${rowsIn(rows)}`,
          amounts: { share: Number(value) / Number(curve.at(-1)?.value) },
        }))}
        lines={[{ id: "share", label: "Of the value", tone: "accent" }]}
        top={1}
        amountText={(part) => `${formatNumber(100 * part, 1)} %`}
        ends={["0 rows", `${formatCount(total)} rows`]}
        marks={ENDS}
        className="mx-auto h-56 max-w-xl"
      />
      <SimpleTable
        caption="Classes by value"
        columns={columns}
        rows={classes}
        getKey={({ name }) => name}
      />
    </div>
  );
}
