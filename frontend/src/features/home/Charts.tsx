import type { ReactNode } from "react";
import { counted, formatCount, formatDateTime } from "@/shared/lib/format";
import { isItemType, itemTypeNames } from "@/shared/lib/itemTypes";
import { leftOutText, returnText, valueText } from "@/shared/lib/worth";
import { type BarRow, Bars } from "@/shared/ui/Bars";
import { Card } from "@/shared/ui/Card";
import { DayChart } from "./DayChart";
import type { Home } from "./model";

const typeName = (type: string) =>
  isItemType(type) ? itemTypeNames[type] : "Not in the catalogue";
const toneOf = (ratio: string | null): BarRow["tone"] =>
  Number(ratio) >= 1 ? "success" : "danger";

/** The charts of the home page: a chunk of its own, drawn after the figures. */
export function Charts({ home }: { home: Home }) {
  const { currency } = home;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title="Added and stowed" description="Pieces a day, 30 days" className="lg:col-span-2">
        <DayChart days={home.days} />
      </Card>
      <Chart
        title="What batches give back"
        description="Value of their items ÷ what they cost: above 1× it pays"
        none="A batch whose cost you enter shows here how often it brings its money back."
        rows={home.batch_returns.map((batch) => ({
          id: batch.id,
          name: batch.name,
          amount: Number(batch.gives_back),
          text: returnText(batch.gives_back),
          note: `${valueText(batch.value, currency)} for ${valueText(batch.cost, currency)}${leftOutText(batch.lots_without_price)}`,
          to: `/app/batches?batch=${batch.id}`,
          tone: toneOf(batch.gives_back),
        }))}
      />
      <Chart
        title="Sources compared"
        description="Over all their batches of known cost"
        none="Give your batches a source and a cost to see where it pays to buy."
        rows={home.source_returns.map((source) => ({
          id: source.id,
          name: source.name,
          amount: Number(source.gives_back),
          text: returnText(source.gives_back),
          note: `${valueText(source.spent, currency)} spent${leftOutText(source.lots_without_price)}`,
          to: `/app/sources?source=${source.id}`,
          tone: toneOf(source.gives_back),
        }))}
      />
      <Chart
        title="Stock value by type"
        none="Nothing is in stock yet."
        rows={home.by_type.map((one) => ({
          id: one.item_type || "unknown",
          name: typeName(one.item_type),
          amount: Number(one.value),
          text: valueText(one.value, currency),
          note: `${counted(one.pieces, "piece")}${leftOutText(one.lots_without_price)}`,
        }))}
      />
      <Chart
        title="Pace at the station"
        description="Pieces a minute, the last sittings"
        none="The station measures your pace; sittings show here."
        rows={home.sittings.map((sitting) => ({
          id: sitting.startedAt,
          name: formatDateTime(sitting.startedAt),
          amount: Number(sitting.per_minute),
          text: sitting.per_minute ?? "–",
          note: `${formatCount(sitting.pieces)} in ${formatCount(Math.max(1, sitting.minutes))} min`,
        }))}
      />
    </div>
  );
}

function Chart(props: {
  title: string;
  description?: ReactNode;
  none: string;
  rows: readonly BarRow[];
}) {
  const { title, description, none, rows } = props;
  return (
    <Card title={title} description={description}>
      {rows.length === 0 ? (
        <p className="text-muted text-sm">{none}</p>
      ) : (
        <Bars label={title} rows={rows} />
      )}
    </Card>
  );
}
