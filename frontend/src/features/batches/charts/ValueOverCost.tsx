import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { profileQueries } from "@/features/profile/public";
import { formatCount, formatMoney } from "@/shared/lib/format";
import type { ListParams } from "@/shared/table/column";
import { Card } from "@/shared/ui/Card";
import { ErrorState, Loading } from "@/shared/ui/states";
import { formatReturn } from "../columns";
import { batchQueries } from "../queries";
import { axisEnd, type Dot, dotsOf } from "./rules";

/** Which purchases paid: each batch that the table shows, by what it cost and what it is worth. */
export function ValueOverCost(props: { params: ListParams; showArchived: boolean }) {
  const { data, error, refetch } = useQuery({
    ...batchQueries.drawn(props.params, props.showArchived),
    placeholderData: keepPreviousData,
  });
  const { data: preferences } = useQuery(profileQueries.preferences());
  const dots = data ? dotsOf(data.batches) : [];
  return (
    <Card
      title="Value over cost"
      description="Each dot is a batch of the table below. Above the line it is worth more than it cost."
      className="mb-4"
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : dots.length === 0 ? (
        <p className="text-muted text-sm">None of these batches tells what it cost.</p>
      ) : (
        <Plot dots={dots} currency={preferences?.currency} />
      )}
      {data && <Beside drawn={dots.length} read={data.batches.length} total={data.total} />}
    </Card>
  );
}

function Beside({ drawn, read, total }: { drawn: number; read: number; total: number }) {
  const told = [
    drawn > 0 && read > drawn && `${formatCount(read - drawn)} without a cost are not drawn.`,
    total > read && `The newest ${formatCount(read)} of ${formatCount(total)} are looked at.`,
  ].filter(Boolean);
  return told.length > 0 && <p className="mt-2 text-muted text-xs">{told.join(" ")}</p>;
}

const percent = (part: number, of: number) => `${(100 * part) / of}%`;

/** The dots are no tab stops: the table below names every batch to keyboards and screen readers. */
function Plot({ dots, currency }: { dots: readonly Dot[]; currency: string | undefined }) {
  const money = (amount: number) => formatMoney(amount.toFixed(2), currency);
  const right = axisEnd(Math.max(...dots.map(({ cost }) => cost)));
  const top = axisEnd(Math.max(...dots.map(({ value }) => value)));
  // Where value is cost: from the corner to the edge that it meets first.
  const even = Math.min(right, top);
  const gains = dots.filter(({ cost, value }) => value >= cost).length;
  return (
    <figure>
      <div className="flex gap-2">
        <div className="flex w-16 shrink-0 flex-col justify-between text-right text-muted text-xs tabular-nums">
          <span>{money(top)}</span>
          <span>Value</span>
          <span>0</span>
        </div>
        <div className="relative h-56 min-w-0 flex-1 border-edge border-b border-l">
          <svg
            aria-hidden="true"
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            className="absolute inset-0 size-full"
          >
            <line
              x1="0"
              y1="100"
              x2={(100 * even) / right}
              y2={100 - (100 * even) / top}
              className="stroke-edge"
              strokeWidth="1.5"
              strokeDasharray="5 4"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
          {dots.map(({ id, name, cost, value }) => (
            <Link
              key={id}
              to={`?batch=${id}`}
              tabIndex={-1}
              aria-hidden="true"
              title={`${name}: cost ${money(cost)}, worth ${money(value)}, ${formatReturn(value / cost)}`}
              style={{ left: percent(cost, right), bottom: percent(value, top) }}
              className={clsx(
                "-translate-x-1/2 absolute size-3 translate-y-1/2 rounded-full border-2 hover:z-sticky hover:scale-150",
                value >= cost ? "border-success bg-success" : "border-danger bg-surface",
              )}
            />
          ))}
        </div>
      </div>
      <div className="mt-1 ml-18 flex justify-between text-muted text-xs tabular-nums">
        <span>0</span>
        <span>Cost</span>
        <span>{money(right)}</span>
      </div>
      <figcaption className="mt-2 flex flex-wrap gap-x-4 text-muted text-xs">
        <Key className="border-success bg-success">
          {formatCount(gains)} worth at least their cost
        </Key>
        <Key className="border-danger bg-surface">{formatCount(dots.length - gains)} less</Key>
      </figcaption>
    </figure>
  );
}

function Key({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className={clsx("size-2.5 rounded-full border-2", className)} />
      <span>{children}</span>
    </span>
  );
}
