import { clsx } from "clsx";
import { Check } from "lucide-react";
import { Link } from "react-router-dom";
import { formatTotal } from "@/shared/lib/format";
import { paths, pathTo } from "@/shared/lib/paths";
import { leftOutText, valueText } from "@/shared/lib/worth";
import type { BatchReturn } from "./model";
import { barOf, verdictOn } from "./rules";

/** The one chart: a bar for each purchase, which sales fill to its cost. It leads to its batch. */
export function ReturnsCard(props: { batches: readonly BatchReturn[]; currency: string }) {
  const { batches, currency } = props;
  const sumText = (figure: "sold" | "cost") =>
    valueText(
      batches.reduce((sum, batch) => sum + Number(batch[figure]), 0),
      currency,
    );
  return (
    <section aria-labelledby="returns" className="min-w-0">
      <h2 id="returns" className="pb-2 font-semibold text-base">
        Paid back
      </h2>
      <div className="rounded-card border border-line bg-surface p-5 shadow-card">
        {batches.length === 0 ? (
          <p className="text-muted text-sm">
            A batch whose cost you enter shows here how much of it your sales have paid back.
          </p>
        ) : (
          <ul aria-label="What batches give back" className="flex flex-col gap-4">
            {batches.map((batch) => (
              <Bar key={batch.id} batch={batch} currency={currency} />
            ))}
          </ul>
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

function Bar({ batch, currency }: { batch: BatchReturn; currency: string }) {
  const { isGood, text } = verdictOn(batch, currency);
  const { sold, worth } = barOf(batch);
  return (
    <li>
      <Link to={pathTo("batches", { batch: batch.id })} className="group block">
        <span className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 truncate text-sm group-hover:underline" title={batch.name}>
            {batch.name}
          </span>{" "}
          <span
            className={clsx(
              "flex shrink-0 items-center gap-1 text-xs",
              isGood ? "font-medium text-success" : "text-muted",
            )}
          >
            {isGood && <Check aria-hidden="true" className="size-3.5" />}
            {text}
          </span>
        </span>{" "}
        <span
          aria-hidden="true"
          className="relative mt-1.5 block h-4 overflow-hidden rounded-sm bg-sunken"
        >
          <span className="absolute inset-y-0 left-0 bg-accent/20" style={{ width: `${worth}%` }} />
          <span
            className={clsx("absolute inset-y-0 left-0", isGood ? "bg-success" : "bg-accent")}
            style={{ width: `${sold}%` }}
          />
        </span>{" "}
        <span className="flex justify-between gap-3 pt-1 text-muted text-xs">
          <span>
            sold {valueText(batch.sold, currency)} of {formatTotal(batch.cost, currency)}
          </span>{" "}
          <span>
            {valueText(batch.in_stock, currency)} in stock{leftOutText(batch.lots_without_price)}
          </span>
        </span>
      </Link>
    </li>
  );
}
