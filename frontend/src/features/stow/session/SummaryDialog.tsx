import type { BatchHead } from "@/features/catalog/public";
import { formatCount, formatNumber } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { worthParts } from "@/shared/lib/worth";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Notice } from "@/shared/ui/states";
import { counters, type Session } from "./session";
import { quantile, useCounts } from "./stopwatch";

/** The totals of the session, shown on leaving; Enter leaves. */
export function SummaryDialog(props: {
  session: Session;
  batch: BatchHead | null;
  currency?: string;
  unsent: number;
  onStay: () => void;
  onLeave: () => void;
}) {
  const { session, batch, currency, unsent, onStay, onLeave } = props;
  const { pieces, lots, bulk, perMinute, worth } = counters(session);
  const counts = useCounts();
  const minutes = ((session.actedAt ?? 0) - (session.startedAt ?? 0)) / 60_000;
  const half = quantile(counts.acceptMs, 0.5);
  const figures = [
    ["Pieces", formatCount(pieces)],
    ["Lots", formatCount(lots)],
    ...(bulk > 0 ? [["In bulk", formatCount(bulk)]] : []),
    ["Value", ...worthParts(worth, currency)],
    ["Minutes", formatNumber(minutes, minutes < 10 ? 1 : 0)],
    ["Pieces per minute", perMinute === null ? "–" : formatNumber(perMinute, 1)],
    ["Keys per add", counts.adds === 0 ? "–" : formatNumber(counts.keys / counts.adds, 1)],
    ["Picture to add", half === null ? "–" : `${formatNumber(half / 1000, 1)} s`],
    ["Undone", formatCount(counts.undos)],
  ];
  return (
    <Dialog
      open
      onClose={onStay}
      title="This session"
      description={batch ? `Added to “${batch.name}”.` : undefined}
      footer={
        <>
          {/* Escape opens this: the next Enter must not leave. */}
          <Button autoFocus onClick={onStay}>
            Keep sorting
          </Button>
          {batch && (
            <ButtonLink to={pathTo("batches", { batch: batch.id })}>Open the batch</ButtonLink>
          )}
          <Button variant="primary" onClick={onLeave}>
            Leave
          </Button>
        </>
      }
    >
      {unsent > 0 && (
        <Notice tone="warning" title={`${unsent} not sent yet`}>
          They are kept in this browser and sent by themselves when the server can be reached.
        </Notice>
      )}
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        {figures.map(([name, figure, beside]) => (
          <div key={name} className="flex flex-col-reverse justify-end">
            <dt className="text-muted text-xs">{name}</dt>
            <dd className="font-bold text-xl tabular-nums">
              {figure}
              {beside && <span className="font-normal text-muted text-xs">{beside}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
