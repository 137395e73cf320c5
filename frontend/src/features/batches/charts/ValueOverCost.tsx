import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { profileQueries } from "@/features/profile/public";
import { formatCount } from "@/shared/lib/format";
import { returnText, valueText } from "@/shared/lib/worth";
import type { ListParams } from "@/shared/table/column";
import { Card } from "@/shared/ui/Card";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { ErrorState, Loading } from "@/shared/ui/states";
import { batchQueries } from "../queries";
import { type Dot, decadesOf, dotsOf, placeOn } from "./rules";

/** Which purchases paid: each batch that the table shows, by what it cost and what it is worth. */
export function ValueOverCost(props: { params: ListParams; showArchived: boolean }) {
  const { data, error, refetch } = useQuery({
    ...batchQueries.drawn(props.params, props.showArchived),
    placeholderData: keepPreviousData,
  });
  const preferences = useSideQuery(profileQueries.preferences(), "your currency");
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

const percent = (place: number) => `${100 * place}%`;

/**
 * Both axes count in powers of ten, the same ones: a small purchase is as easy to see as a large
 * one, and where value is cost is the diagonal. The dots are no tab stops: the table below names
 * every batch to keyboards and screen readers.
 */
function Plot({ dots, currency }: { dots: readonly Dot[]; currency: string | undefined }) {
  const money = (amount: number) => valueText(amount, currency);
  const decades = decadesOf(dots.flatMap(({ cost, value }) => [cost, value]));
  const gains = dots.filter(({ cost, value }) => value >= cost).length;
  return (
    <figure className="max-w-4xl pr-4">
      <div className="mt-2 mb-1 flex">
        <div className="relative w-20 shrink-0 text-muted text-xs tabular-nums">
          <span className="absolute top-1/2 left-0 -translate-y-1/2">Value</span>
          {decades.map((amount) => (
            <span
              key={amount}
              style={{ bottom: percent(placeOn(decades, amount)) }}
              className="absolute right-2 translate-y-1/2"
            >
              {tick(amount)}
            </span>
          ))}
        </div>
        <div className="relative h-64 min-w-0 flex-1 border-edge border-b border-l">
          <svg
            aria-hidden="true"
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            className="absolute inset-0 size-full"
          >
            {decades.map((amount) => {
              const at = 100 * placeOn(decades, amount);
              return (
                <path
                  key={amount}
                  d={`M0 ${100 - at}H100M${at} 0V100`}
                  className="stroke-line"
                  vectorEffect="non-scaling-stroke"
                />
              );
            })}
            <line
              x1="0"
              y1="100"
              x2="100"
              y2="0"
              className="stroke-muted"
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
              title={`${name}: cost ${money(cost)}, worth ${money(value)}, ${returnText(value / cost)}`}
              style={{
                left: percent(placeOn(decades, cost)),
                bottom: percent(placeOn(decades, value)),
              }}
              className={clsx(
                "absolute size-3 -translate-x-1/2 translate-y-1/2 rounded-full border-2 hover:z-sticky hover:scale-150",
                value >= cost ? "border-success bg-success" : "border-danger bg-surface",
              )}
            />
          ))}
        </div>
      </div>
      <div className="relative ml-20 h-4 text-muted text-xs tabular-nums">
        {decades.map((amount) => (
          <span
            key={amount}
            style={{ left: percent(placeOn(decades, amount)) }}
            className="absolute -translate-x-1/2"
          >
            {tick(amount)}
          </span>
        ))}
      </div>
      <p className="ml-20 text-center text-muted text-xs">Cost</p>
      <figcaption className="mt-2 flex flex-wrap gap-x-4 text-muted text-xs">
        <Key className="border-success bg-success">
          {formatCount(gains)} worth at least their cost
        </Key>
        <Key className="border-danger bg-surface">{formatCount(dots.length - gains)} less</Key>
      </figcaption>
    </figure>
  );
}

const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** A power of ten: "0.01", "100", "10K". */
const tick = (amount: number) => short.format(amount);

function Key({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className={clsx("size-2.5 rounded-full border-2", className)} />
      <span>{children}</span>
    </span>
  );
}
