import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { profileQueries } from "@/features/profile/public";
import { formatCount, formatDate, formatDateTime, formatWeight } from "@/shared/lib/format";
import { returnText, valueText, worthText } from "@/shared/lib/worth";
import { useClientState } from "@/shared/store/clientStore";
import { mayLoad } from "@/shared/ui/faces";
import type { Batch, StateFilter } from "./model";
import { batchQueries } from "./queries";
import { activeText, foreignText, returnOf, worthIn } from "./rules";
import { StateBar } from "./StateBar";

/** What a batch is worth and how far it is; the bar filters its items. */
export function BatchHead(props: {
  batch: Batch;
  filter: StateFilter;
  onFilter: (filter: StateFilter) => void;
}) {
  const { batch, filter, onFilter } = props;
  const { data: preferences } = useQuery(profileQueries.preferences());
  const currency = preferences?.currency;
  const money = (amount: string | null) => valueText(amount, currency);
  const gain = returnOf(batch);
  const { data: activity } = useQuery(batchQueries.activity(batch.id));
  return (
    <section
      aria-label="Figures of the batch"
      className="mb-4 flex flex-col gap-4 rounded-card border border-line bg-surface p-4 shadow-card"
    >
      {batch.image_url && <BatchPicture src={batch.image_url} />}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:flex sm:flex-wrap sm:gap-x-10">
        <Figure name="Value" strong>
          {worthText(worthIn(batch), currency)}
        </Figure>
        <Figure name="Cost">{money(batch.cost_total)}</Figure>
        <Figure name="Value ÷ cost">
          {gain === null ? (
            "–"
          ) : (
            <span className={gain >= 1 ? "text-success" : "text-danger"}>{returnText(gain)}</span>
          )}
        </Figure>
        <Figure name="Lots">{formatCount(batch.batch_item_lot_count)}</Figure>
        <Figure name="Pieces">{formatCount(batch.batch_item_item_count)}</Figure>
        {batch.gross_weight !== null && (
          <Figure name="Weight">{formatWeight(batch.gross_weight)}</Figure>
        )}
        {batch.foreign_count !== null && (
          <Figure name="Foreign pieces">{foreignText(batch)}</Figure>
        )}
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
        <Figure name="Active time">{activity ? activeText(activity.active_seconds) : "–"}</Figure>
        <Figure name="Created">{formatDate(batch.created_at)}</Figure>
      </dl>
      <LastAdded batchId={batch.id} />
      <StateBar stats={batch.stats} value={filter} onChange={onFilter} />
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
      className="size-24 self-start rounded-control border border-line object-cover"
    />
  ) : null;
}

function Figure(props: { name: string; strong?: boolean; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <dt className="text-muted text-xs">{props.name}</dt>
      <dd
        className={`truncate tabular-nums ${props.strong ? "font-semibold text-base" : "text-base"}`}
      >
        {props.children}
      </dd>
    </div>
  );
}
