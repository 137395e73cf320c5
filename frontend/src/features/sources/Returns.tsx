import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { totalOf } from "@/shared/api/envelope";
import { formatCount } from "@/shared/lib/format";
import { leftOutText, returnText } from "@/shared/lib/worth";
import { Card } from "@/shared/ui/Card";
import { Loaded } from "@/shared/ui/states";
import type { Source } from "./model";
import { sourceQueries } from "./queries";
import { returnsOf, sumText, verdictOf } from "./rules";

/** What each source gave back for the money spent at it, best first. */
export function Returns({ onShow }: { onShow: (id: number) => void }) {
  const query = useQuery({
    ...sourceQueries.used(),
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  const returns = data ? returnsOf(data.data) : [];
  return (
    <Card
      title="Return per source"
      description="How many times the cost of its batches their items are worth. Left of the mark at 1× the money is not back."
      className="mb-4"
    >
      <Loaded query={query}>
        {() =>
          returns.length === 0 ? (
            <p className="text-muted text-sm">No batch with a source has a cost.</p>
          ) : (
            <Bars returns={returns} onShow={onShow} />
          )
        }
      </Loaded>
      {data && <Beside drawn={returns.length} read={data.data.length} total={totalOf(data)} />}
    </Card>
  );
}

function Beside({ drawn, read, total }: { drawn: number; read: number; total: number }) {
  const told = [
    drawn > 0 && read > drawn && `${formatCount(read - drawn)} without a cost are not drawn.`,
    total > read && `The ${formatCount(read)} where most was spent, of ${formatCount(total)}.`,
  ].filter(Boolean);
  return told.length > 0 && <p className="mt-3 text-muted text-xs">{told.join(" ")}</p>;
}

type Return = { source: Source; ratio: number };

function Bars(props: { returns: readonly Return[]; onShow: (id: number) => void }) {
  // The mark of 1× is always within the width.
  const most = Math.max(1.25, ...props.returns.map(({ ratio }) => ratio));
  const at = (ratio: number) => `${(100 * ratio) / most}%`;
  return (
    <ul className="grid gap-x-8 gap-y-3 lg:grid-cols-2">
      {props.returns.map(({ source, ratio }) => (
        <li key={source.id} className="min-w-0">
          <span className="flex items-baseline justify-between gap-3 text-sm">
            <button
              type="button"
              className="min-w-0 truncate text-left hover:text-accent-ink hover:underline"
              onClick={() => props.onShow(source.id)}
            >
              {source.name}
            </button>
            <span className="shrink-0 tabular-nums">
              <span className="font-medium">{returnText(source.return_on_cost)}</span>
              <span className="ml-2 text-muted text-xs">
                {sumText(source.spent)} spent
                {leftOutText(source.lots_without_price)}
              </span>
            </span>
          </span>
          <span aria-hidden="true" className="relative mt-1 block h-2.5 rounded-full bg-sunken">
            <span
              style={{ width: `max(0.375rem, ${at(ratio)})` }}
              className={clsx(
                "block h-full rounded-full",
                verdictOf(source.return_on_cost) === "gain" ? "bg-success" : "bg-danger",
              )}
            />
            <span
              style={{ left: at(1) }}
              className="absolute inset-y-[-0.2rem] w-0.5 rounded-full bg-ink"
            />
          </span>
        </li>
      ))}
    </ul>
  );
}
