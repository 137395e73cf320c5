import { clsx } from "clsx";
import { Link } from "react-router-dom";
import { formatTotal } from "@/shared/lib/format";
import { paths, pathTo } from "@/shared/lib/paths";
import { leftOutText, valueText } from "@/shared/lib/worth";
import type { BatchReturn } from "./model";
import { scaleOf, verdictOn } from "./rules";

/** The one chart: whether sales have paid for each purchase. A bar leads to its batch. */
export function ReturnsCard(props: { batches: readonly BatchReturn[]; currency: string }) {
  const { batches, currency } = props;
  const scale = scaleOf(batches);
  const sumText = (figure: "sold" | "cost") =>
    valueText(
      batches.reduce((sum, batch) => sum + Number(batch[figure]), 0),
      currency,
    );
  return (
    <section aria-labelledby="returns" className="min-w-0">
      <h2 id="returns" className="pb-2 font-semibold text-base">
        Has it paid for itself?
      </h2>
      <div className="rounded-card border border-line bg-surface p-5 shadow-card">
        {batches.length === 0 ? (
          <p className="text-muted text-sm">
            A batch whose cost you enter shows here how much of it your sales have paid back.
          </p>
        ) : (
          <>
            <p aria-hidden="true" className="flex gap-4 pb-4 text-muted text-xs">
              <span className="flex items-center gap-1.5">
                <span className="size-2.5 rounded-sm bg-accent" />
                Sold
              </span>
              <span className="flex items-center gap-1.5">
                <span className="size-2.5 rounded-sm bg-accent/25" />
                Still in stock
              </span>
              <span className="flex items-center gap-1.5">
                <span className="h-3 w-0.5 bg-ink" />
                What you paid
              </span>
            </p>
            <ul aria-label="What batches give back" className="flex flex-col gap-4">
              {batches.map((batch) => (
                <Bar key={batch.id} batch={batch} scale={scale} currency={currency} />
              ))}
            </ul>
          </>
        )}
        <p className="mt-4 flex items-baseline justify-between gap-3 border-line border-t pt-3 text-sm">
          <span className="text-muted">
            {batches.length > 0 && `Sold for ${sumText("sold")}, paid ${sumText("cost")}`}
          </span>
          <Link to={paths.reports} className="shrink-0 font-medium text-accent-ink hover:underline">
            All reports
          </Link>
        </p>
      </div>
    </section>
  );
}

function Bar(props: { batch: BatchReturn; scale: number; currency: string }) {
  const { batch, scale, currency } = props;
  const verdict = verdictOn(batch, currency);
  const length = (amount: string) => `${Math.max(0, (Number(amount) / scale) * 100)}%`;
  return (
    <li>
      <Link to={pathTo("batches", { batch: batch.id })} className="group block">
        <span className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 truncate text-sm group-hover:underline" title={batch.name}>
            {batch.name}
          </span>{" "}
          <span
            className={clsx("shrink-0 text-xs", verdict.isGood ? "text-success" : "text-muted")}
          >
            {verdict.text}
          </span>
        </span>{" "}
        <span aria-hidden="true" className="relative mt-1.5 flex h-4 rounded-sm bg-sunken">
          <span className="h-full rounded-sm bg-accent" style={{ width: length(batch.sold) }} />
          <span
            className="h-full rounded-sm bg-accent/25"
            style={{ width: length(batch.in_stock) }}
          />
          <span
            className="-top-0.5 -bottom-0.5 absolute w-0.5 bg-ink ring-1 ring-surface"
            style={{ left: length(batch.cost) }}
          />
        </span>
        <span className="sr-only">
          Sold for {valueText(batch.sold, currency)}, paid {formatTotal(batch.cost, currency)},{" "}
          {valueText(batch.in_stock, currency)} still in stock
          {leftOutText(batch.lots_without_price)}
        </span>
      </Link>
    </li>
  );
}
