import { useQuery } from "@tanstack/react-query";
import { PackageOpen } from "lucide-react";
import type { ReactNode } from "react";
import { useCurrency } from "@/features/profile/public";
import { formatCount, formatNumber } from "@/shared/lib/format";
import { isItemType, itemTypeNames } from "@/shared/lib/itemTypes";
import { pathTo } from "@/shared/lib/paths";
import { leftOutText, valueText } from "@/shared/lib/worth";
import { type BarRow, Bars } from "@/shared/ui/Bars";
import { Card } from "@/shared/ui/Card";
import { LineChart } from "@/shared/ui/charts";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { EmptyState, Loaded } from "@/shared/ui/states";
import { inventoryQueries } from "../queries";
import { piecesIn, rowsIn } from "../rules";
import { type AbcClass, abcOf } from "./abc";
import type { CurvePoint, StockSums, Sums } from "./model";

/** What the stock's value is made of: by type, location and age, and how few rows make most of it. */
export function StockCharts({ choice }: { choice: ReactNode }) {
  const query = useQuery(inventoryQueries.charts());
  const currency = useCurrency();
  return (
    <div className="flex flex-col gap-4">
      <div>{choice}</div>
      <Loaded query={query}>
        {(data) =>
          data.by_type.length === 0 ? (
            <EmptyState icon={PackageOpen} title="Nothing is in stock yet">
              Import a file or stow a batch: what your stock is worth, and where, is drawn here.
            </EmptyState>
          ) : (
            <Drawn sums={data} currency={currency} />
          )
        }
      </Loaded>
    </div>
  );
}

function Drawn({ sums, currency }: { sums: StockSums; currency: string | undefined }) {
  const line = ({
    rows,
    pieces,
    value,
    lots_without_price,
  }: Sums): Pick<BarRow, "amount" | "text" | "note"> => ({
    amount: Number(value),
    text: valueText(value, currency),
    note: `${rowsIn(rows)}, ${piecesIn(pieces)}${leftOutText(lots_without_price)}`,
  });
  // Of all others together there is a sentence: as a bar it would dwarf every single location.
  const others = sums.by_location.find(({ locations }) => locations > 1);
  const named = sums.by_location.filter((one) => one !== others);
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2 2xl:grid-cols-3">
      <Card title="Value by bin" description="Those of most value">
        <Bars
          label="Value by bin"
          rows={named.map((one) => ({
            ...line(one),
            id: one.location_id ?? "none",
            name: placeName(one),
            to:
              one.location_id === null
                ? undefined
                : pathTo("locations", { location: one.location_id }),
          }))}
        />
        {others && (
          <p className="mt-3 text-muted text-xs">
            In {formatCount(others.locations)} other locations: {line(others).text},{" "}
            {line(others).note}.
          </p>
        )}
      </Card>
      <div className="flex flex-col gap-4">
        <Card title="Value by type">
          <Bars
            label="Value by type"
            rows={sums.by_type.map((one) => ({
              ...line(one),
              id: one.item_type || "unknown",
              name: isItemType(one.item_type) ? itemTypeNames[one.item_type] : "Of no known type",
            }))}
          />
        </Card>
        <Card title="Age of the stock" description="Value by the time since a row was added">
          <Bars
            label="Age of the stock"
            rows={sums.by_age.map((one) => ({ ...line(one), id: one.age, name: one.age }))}
          />
        </Card>
      </div>
      <Card title="ABC curve" description="A few lots make most of the value">
        <AbcChart curve={sums.curve} currency={currency} />
      </Card>
    </div>
  );
}

function placeName(one: StockSums["by_location"][number]): string {
  return one.location_name ?? (one.location_id === null ? "No bin" : "A deleted bin");
}

/** Where A and B end, as shares of the value. */
const ENDS = [0.8, 0.95];

/** The curve, and its three classes in figures: it reads without the picture too. */
function AbcChart(props: { curve: readonly CurvePoint[]; currency: string | undefined }) {
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
