import type { BatchHead } from "@/features/catalog/public";
import { counted, formatCount, formatNumber } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { worthParts } from "@/shared/lib/worth";
import { useClientState } from "@/shared/store/clientStore";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Notice } from "@/shared/ui/states";
import { counters, type Session } from "./session";
import { useCounts } from "./stopwatch";

/** The totals of the session and the next act, shown on leaving. */
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
  const figures = [
    ["Pieces", formatCount(pieces)],
    ["Lots", formatCount(lots)],
    ...(bulk > 0 ? [["In bulk", formatCount(bulk)]] : []),
    ["Value", ...worthParts(worth, currency)],
    ["Minutes", formatNumber(minutes, minutes < 10 ? 1 : 0)],
    ...(perMinute === null ? [] : [["Pieces per minute", formatNumber(perMinute, 1)]]),
    ...(counts.undos === 0 ? [] : [["Undone", formatCount(counts.undos)]]),
  ];
  const isToPutAway = !useClientState("options.stowDirectly") && batch !== null && pieces > 0;
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
          {batch && !isToPutAway && (
            <ButtonLink to={pathTo("batches", { batch: batch.id })}>Open the batch</ButtonLink>
          )}
          <Button variant={isToPutAway ? "secondary" : "primary"} onClick={onLeave}>
            Leave
          </Button>
          {isToPutAway && (
            <ButtonLink variant="primary" to={pathTo("batches", { batch: batch.id, walk: 1 })}>
              Put away {counted(pieces, "piece")}
            </ButtonLink>
          )}
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
