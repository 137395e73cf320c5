import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Pencil } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { totalOf } from "@/shared/api/envelope";
import { formatCount, formatDate, formatWeight } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { hides } from "@/shared/lib/role";
import { returnText, summedWorth, worthText } from "@/shared/lib/worth";
import { Button } from "@/shared/ui/Button";
import { LineChart } from "@/shared/ui/charts";
import { Drawer } from "@/shared/ui/Dialog";
import { worthCell } from "@/shared/ui/Price";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { ErrorState, Loaded, Loading } from "@/shared/ui/states";
import { verdictTones } from "./columns";
import type { Source, SourceBatch } from "./model";
import { sourceQueries } from "./queries";
import { type PricePoint, pricesPerKg, shareText, sumText, verdictOf } from "./rules";

/** More about one source: its figures, notes and batches. At `?source=4`. */
export function SourceDrawer(props: {
  id: number;
  onEdit: (source: Source) => void;
  onClose: () => void;
}) {
  const { id, onEdit, onClose } = props;
  const query = useQuery(sourceQueries.detail(id));
  return (
    <Drawer onClose={onClose} title={query.data?.name ?? "Source"}>
      <Loaded query={query}>
        {(source) => (
          <div className="flex flex-col gap-5">
            <Figures source={source} />
            {!hides("notes") && (
              <section aria-label="Notes">
                <div className="mb-1 flex items-center justify-between gap-2">
                  <h3 className="font-semibold text-sm">Notes</h3>
                  <Button
                    size="sm"
                    needs="write sources/{}"
                    icon={<Pencil aria-hidden="true" className="size-3.5" />}
                    onClick={() => onEdit(source)}
                  >
                    Edit
                  </Button>
                </div>
                <p className="whitespace-pre-wrap break-words text-sm">
                  {source.notes || <span className="text-muted">None yet.</span>}
                </p>
              </section>
            )}
            <Batches source={source} />
          </div>
        )}
      </Loaded>
    </Drawer>
  );
}

function Figures({ source }: { source: Source }) {
  const facts: [string, string, string?][] = [
    ["Batches", formatCount(source.batch_count)],
    ["Lots", formatCount(source.lot_count)],
    ["Pieces", formatCount(source.piece_count)],
    ["Value", worthText(source)],
    ["Not LEGO", shareText(source.foreign_share)],
  ];
  if (!hides("spent")) {
    const tone = verdictTones[verdictOf(source.return_on_cost)];
    facts.push(
      ["Spent", sumText(source.spent)],
      ["Return", returnText(source.return_on_cost), tone],
      ["Price per kg", sumText(source.price_per_kg)],
    );
  }
  return (
    <dl className="grid grid-cols-3 gap-x-4 gap-y-3 sm:grid-cols-4">
      {facts.map(([name, text, tone]) => (
        <div key={name}>
          <dt className="text-muted text-xs">{name}</dt>
          <dd className={clsx("font-medium text-sm tabular-nums", tone)}>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

const Short = ({ children }: { children: ReactNode }) => (
  <span className="whitespace-nowrap">{children}</span>
);

const batchColumns: readonly SimpleColumn<SourceBatch>[] = [
  {
    header: "Batch",
    grow: true,
    cell: ({ id, name }) => (
      <Link
        to={pathTo("batches", { batch: id })}
        title={name}
        className="line-clamp-2 min-w-20 break-words hover:text-accent-ink hover:underline"
      >
        {name}
      </Link>
    ),
  },
  {
    header: "Made",
    phone: "plain",
    cell: ({ created_at }) => <Short>{formatDate(created_at)}</Short>,
  },
  {
    header: "Weight",
    phone: "plain",
    align: "end",
    cell: ({ gross_weight }) => <Short>{formatWeight(gross_weight)}</Short>,
  },
  {
    header: "Cost",
    align: "end",
    cell: ({ cost_total }) => sumText(cost_total),
  },
  {
    header: "Value",
    align: "end",
    phone: "first",
    cell: ({ stats }) => worthCell(summedWorth(stats)),
  },
];

function Batches({ source }: { source: Source }) {
  const { data, error, refetch } = useQuery(sourceQueries.batches(source.id));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  const { data: batches } = data;
  const total = totalOf(data);
  if (batches.length === 0) {
    return <p className="text-muted text-sm">No batch names it as its source yet.</p>;
  }
  const points = pricesPerKg(batches);
  return (
    <>
      {points.length > 1 && <Trend points={points} />}
      <SimpleTable
        caption={`Batches from ${source.name}`}
        columns={batchColumns.filter(({ header }) => header !== "Cost" || !hides("cost_total"))}
        rows={batches}
        getKey={({ id }) => id}
      />
      {total > batches.length && (
        <p className="text-muted text-xs">
          The newest {formatCount(batches.length)} of {formatCount(total)}.{" "}
          <Link to={pathTo("batches", { source: source.id })} className="underline">
            Show all
          </Link>
        </p>
      )}
    </>
  );
}

/** What a kilogram cost from batch to batch. */
function Trend({ points }: { points: readonly PricePoint[] }) {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return null;
  const words = `from ${sumText(first.perKg)} to ${sumText(last.perKg)}`;
  return (
    <section>
      <div className="mb-1 flex items-baseline justify-between gap-2">
        <span className="font-semibold text-sm">Price per kg</span>
        <span className="text-muted text-xs tabular-nums">{words}</span>
      </div>
      <LineChart
        label={`Price per kilogram over ${points.length} batches, ${words}`}
        points={points.map(({ name, perKg }, index) => ({
          x: index,
          title: name,
          amounts: { perKg },
        }))}
        lines={[{ id: "perKg", label: "Per kg", tone: "accent" }]}
        top={Math.max(...points.map(({ perKg }) => perKg), 0.01)}
        amountText={sumText}
        className="h-20 rounded-control bg-sunken"
      />
    </section>
  );
}
