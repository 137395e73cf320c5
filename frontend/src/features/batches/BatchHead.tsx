import type { ReactNode } from "react";
import { useHasStore } from "@/features/marketplace/public";
import { useCurrency } from "@/features/profile/public";
import { formatCount, formatDate, formatDateTime, formatWeight } from "@/shared/lib/format";
import { returnText, valueText, worthText } from "@/shared/lib/worth";
import { useClientState } from "@/shared/store/clientStore";
import { mayLoad } from "@/shared/ui/faces";
import { useSideQuery } from "@/shared/ui/sideQuery";
import type { Batch, StateFilter } from "./model";
import { Pipeline } from "./Pipeline";
import { batchQueries } from "./queries";
import { activeText, foreignText, NO_TIME, returnOf, worthIn } from "./rules";

/** What a batch is worth and how far it is; the pipeline filters its items. */
export function BatchHead(props: {
  batch: Batch;
  filter: StateFilter;
  onFilter: (filter: StateFilter) => void;
}) {
  const { batch, filter, onFilter } = props;
  const currency = useCurrency();
  const money = (amount: string | null) => valueText(amount, currency);
  const gain = returnOf(batch);
  const activity = useSideQuery(batchQueries.activity(batch.id), "the time spent on the batch");
  const active = activity ? activeText(activity.active_seconds) : NO_TIME;
  return (
    <section aria-label="Figures of the batch" className="mb-4 flex flex-col gap-4">
      <div className="-mt-3 flex items-center gap-4">
        {batch.image_url && <BatchPicture src={batch.image_url} />}
        <div className="flex min-w-0 flex-col gap-1">
          <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm max-sm:[&>:nth-child(n+4)]:hidden">
            <Figure name="Value" strong>
              {worthText(worthIn(batch), currency)}
            </Figure>
            {Number(batch.cost_total) > 0 && <Figure name="Cost">{money(batch.cost_total)}</Figure>}
            {gain !== null && (
              <Figure name="Return">
                <span className={gain >= 1 ? "text-success" : "text-danger"}>
                  {returnText(gain)}
                </span>
              </Figure>
            )}
            {batch.gross_weight !== null && (
              <Figure name="Weight">{formatWeight(batch.gross_weight)}</Figure>
            )}
            {batch.foreign_count !== null && <Figure name="Not LEGO">{foreignText(batch)}</Figure>}
            {batch.source_name && <Figure name="Source">{batch.source_name}</Figure>}
            {batch.listing_url && (
              <Figure name="Won at">
                <a
                  href={batch.listing_url}
                  target="_blank"
                  rel="noreferrer noopener"
                  className="text-accent-ink underline"
                >
                  its auction
                </a>
              </Figure>
            )}
            {active !== NO_TIME && <Figure name="Active time">{active}</Figure>}
            <Figure name="Created">{formatDate(batch.created_at)}</Figure>
          </dl>
          <LastAdded batchId={batch.id} />
        </div>
      </div>
      <Pipeline batch={batch} hasStore={useHasStore()} value={filter} onChange={onFilter} />
    </section>
  );
}

/** The last item that this browser added, where it is in this batch. */
function LastAdded({ batchId }: { batchId: number }) {
  const last = useClientState("lastBatchItemAdded");
  if (last?.batchId !== batchId) return null;
  const name = [last.itemNumber, last.itemName].filter(Boolean).join(" ");
  return (
    <p className="text-muted text-sm">
      Last added:{" "}
      <span className="text-ink tabular-nums">
        {formatCount(last.quantity)} × {name}
      </span>
      {last.color && `, ${last.color}`}, {formatDateTime(last.timestamp)}
    </p>
  );
}

/** As it came: drawn only where the page's policy lets pictures come from there. */
function BatchPicture({ src }: { src: string }) {
  return mayLoad(src) ? (
    <img
      src={src}
      alt="The lot as it was sold"
      loading="lazy"
      decoding="async"
      className="size-16 self-start rounded-control border border-line object-cover"
    />
  ) : null;
}

function Figure(props: { name: string; strong?: boolean; children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-baseline gap-1.5">
      <dt className="text-muted">{props.name}</dt>
      <dd className={`truncate tabular-nums ${props.strong ? "font-semibold" : ""}`}>
        {props.children}
      </dd>
    </div>
  );
}
