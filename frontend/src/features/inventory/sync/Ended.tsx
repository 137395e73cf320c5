import { useQuery } from "@tanstack/react-query";
import { ArrowRight, CircleCheck, CircleSlash, CircleX, Undo2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { type Job, useJob } from "@/features/jobs/public";
import { useCurrency } from "@/features/profile/public";
import { counted, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { rowsWith } from "@/shared/lib/records";
import { homeQuery } from "@/shared/query/homeQuery";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { CopyButton } from "@/shared/ui/CopyButton";
import { Dialog } from "@/shared/ui/Dialog";
import { FirstShown, wideCell } from "@/shared/ui/RefusedRows";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { useTellMissing } from "@/shared/ui/sideQuery";
import { Notice } from "@/shared/ui/states";
import { When } from "@/shared/ui/When";
import { Counts } from "./Counts";
import type { FailedSyncItem, InventorySync } from "./model";
import { useApplySync, usePreviewAgain } from "./mutations";
import {
  canUndo,
  contentWords,
  countsOf,
  isOfBatch,
  isOfStore,
  lotsText,
  stateWords,
} from "./rules";
import { SyncRows } from "./SyncRows";
import { UndoDialog } from "./UndoDialog";
import { UnknownLots } from "./UnknownLots";

const icons: Record<string, ReactNode> = {
  applied: <CircleCheck aria-hidden="true" className="size-5 text-success" />,
  undone: <Undo2 aria-hidden="true" className="size-5 text-info" />,
  cancelled: <CircleSlash aria-hidden="true" className="size-5 text-muted" />,
  failed: <CircleX aria-hidden="true" className="size-5 text-danger" />,
};

/** More failed lots than these are shown on demand. */
const SHOWN_AT_ONCE = 5;

/** An import that is over: what it did, what it left out, and the way back. */
export function Ended({ sync, onClose }: { sync: InventorySync; onClose: () => void }) {
  const [opened, setOpened] = useState<"undo" | "failed" | null>(null);
  const { data: job } = useJob(sync.job_id);
  const apply = useApplySync(sync.id, { tellsFailure: true });
  const preview = usePreviewAgain(sync.id);
  const currency = useCurrency();
  const failed = rowsWith<FailedSyncItem>(job?.failed, "error");
  const counts = countsOf(sync);
  const isPart = sync.state !== "applied" && canUndo(sync);
  // A batch is applied whole or not at all: only its undo can stop half-way.
  const halfWay = isPart && !isOfBatch(sync);

  if (opened === "undo") return <UndoDialog sync={sync} onClose={() => setOpened(null)} />;
  if (opened === "failed" && job) {
    return (
      <FailedRowsDialog items={failed} total={job.failed_count} onClose={() => setOpened(null)} />
    );
  }
  return (
    <Dialog
      onClose={onClose}
      title={
        sync.state === "applied"
          ? `${lotsText(counts.lots - counts.unreadable)} imported`
          : stateWords(sync)
      }
      description={
        <>
          {sync.file_name}, <When at={sync.undoneAt ?? sync.appliedAt ?? sync.createdAt} />
        </>
      }
      size={sync.state === "applied" ? "xl" : "md"}
      footer={
        <>
          {canUndo(sync) && (
            <Button icon={Undo2} onClick={() => setOpened("undo")}>
              {isPart ? "Undo it" : "Undo import"}
            </Button>
          )}
          <Button onClick={onClose}>{halfWay ? "Keep what was applied" : "Close"}</Button>
          {halfWay && (
            <Button variant="primary" loading={apply.isPending} onClick={() => apply.mutate(null)}>
              Continue
            </Button>
          )}
          {sync.counts.can_repair && (
            <Button
              variant="primary"
              loading={preview.isPending}
              onClick={() => preview.mutate({ ...sync.options, repair: true })}
            >
              Import the complete lots
            </Button>
          )}
          {sync.state === "applied" && <NextStep sync={sync} onClose={onClose} />}
          {sync.state === "failed" && !sync.counts.can_repair && !isPart && !isOfStore(sync) && (
            <ButtonLink
              replace
              to={
                isOfBatch(sync)
                  ? pathTo("batches", { import: 1 })
                  : pathTo("inventory", { import: 1 })
              }
              variant="primary"
            >
              Choose another file
            </ButtonLink>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="flex items-start gap-2">
          {icons[sync.state]}
          <span>{endWords(sync, currency)}</span>
        </p>
        {sync.state === "applied" && sync.problem && (
          <Notice tone="danger" title="It was not undone">
            {sync.problem}
          </Notice>
        )}
        {sync.state === "applied" && <Counts counts={{ ...counts, ...sync.applied_counts }} />}
        {sync.state === "applied" && counts.unknown > 0 && (
          <UnknownLots
            counts={counts}
            count={counts.unknown}
            isInStock
            place={sync.target}
            isListed={!isOfBatch(sync)}
          />
        )}
        {isOfBatch(sync) && job && <Consolidated result={job.result} />}
        {failed.length > 0 && (
          <section className="flex flex-col gap-2">
            <Notice
              tone="danger"
              title={`${formatCount(job?.failed_count)} ${job?.failed_count === 1 ? "lot" : "lots"} could not be imported`}
              actions={
                <Button size="sm" onClick={() => setOpened("failed")}>
                  Show them
                </Button>
              }
            />
            <FailedRowsTable items={failed.slice(0, SHOWN_AT_ONCE)} />
          </section>
        )}
        {sync.over_limits.length > 0 && <OverLimits sync={sync} />}
        {sync.state === "applied" && !isOfBatch(sync) && <LeftToDecide />}
        {sync.state === "applied" && <SyncRows id={sync.id} counts={counts} />}
      </div>
    </Dialog>
  );
}

/** Back to where the lots are now. */
function NextStep({ sync, onClose }: { sync: InventorySync; onClose: () => void }) {
  if (!isOfBatch(sync)) {
    return (
      <Button variant="primary" onClick={onClose}>
        Show the stock
      </Button>
    );
  }
  return (
    <ButtonLink
      to={pathTo("batches", { batch: sync.batch_id })}
      variant="primary"
      onClick={onClose}
    >
      Open batch
    </ButtonLink>
  );
}

/** What was consolidated with items of the batch, and why the rest was not. */
function Consolidated({ result }: { result: Job["result"] }) {
  const consolidated = Number(result.consolidated ?? 0);
  const why = result.not_consolidated ? String(result.not_consolidated) : null;
  if (!consolidated && !why) return null;
  return (
    <Notice
      tone={why ? "warning" : "info"}
      title={
        consolidated === 0
          ? "No rows were consolidated with an equal lot."
          : `${counted(consolidated, "row")} consolidated with an equal lot.`
      }
    >
      {why}
    </Notice>
  );
}

/** What waits for the person since the import: lots without a price, unknown numbers, full bins. */
function LeftToDecide() {
  const [openedAt] = useState(() => Date.now());
  const home = useQuery({ ...homeQuery(), staleTime: 0 });
  useTellMissing(home, "what is left to decide");
  const waiting = home.data?.waiting ?? [];
  // What Home showed before the import says nothing of it.
  if (waiting.length === 0 || home.dataUpdatedAt < openedAt) return null;
  return (
    <section aria-labelledby="left" className="flex flex-col gap-2">
      <h3 id="left" className="font-semibold">
        Left to decide
      </h3>
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line">
        {waiting.map((line) => (
          <li key={line.id}>
            <Link to={line.to} className="flex items-center gap-3 px-3 py-2.5 hover:bg-hover">
              <span className="min-w-0 flex-1">
                <span className="font-medium">{line.title}</span>{" "}
                <span className="text-muted text-sm">{line.note}</span>
              </span>
              <ArrowRight aria-hidden="true" className="size-4 shrink-0 text-faint" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function endWords(sync: InventorySync, currency?: string): string {
  if (isOfBatch(sync)) return batchWords(sync, currency);
  switch (sync.state) {
    case "applied":
      return `Your stock now matches ${isOfStore(sync) ? "the store" : "the file"}. The import can be undone as a whole.`;
    case "undone":
      return "Your stock is as it was before this import.";
    case "failed":
      if (!sync.problem) return "The import could not be finished. Nothing is half-done.";
      return canUndo(sync) ? sync.problem : `${sync.problem} Your stock is as it was.`;
    default:
      return canUndo(sync)
        ? `${formatCount(sync.applied_lots ?? 0)} of ${counted(countsOf(sync).lots, "lot")} ${sync.applied_lots === 1 ? "was" : "were"} applied before it was stopped. Keep what was applied, undo it, or continue.`
        : "Nothing was changed.";
  }
}

const UNDONE_IN_PART = "A part of the import was undone. Undo it to take back the rest.";

function batchWords(sync: InventorySync, currency?: string): string {
  switch (sync.state) {
    case "applied":
      return `${contentWords(countsOf(sync), currency)} came into the batch. The import can be undone as a whole.`;
    case "undone":
      return "The items of this import are deleted. What you stowed stays in stock.";
    case "failed":
      return `${sync.problem} ${canUndo(sync) ? UNDONE_IN_PART : "Your batches are as they were."}`.trim();
    default:
      return canUndo(sync) ? UNDONE_IN_PART : "Nothing was changed.";
  }
}

/** The file is the truth, so nothing was refused; what is too full now is listed. */
function OverLimits({ sync }: { sync: InventorySync }) {
  return (
    <Notice
      tone="warning"
      title={counted(
        sync.over_limits.length,
        "bin is over its limit",
        "bins are over their limits",
      )}
    >
      <ul className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
        {sync.over_limits.slice(0, 30).map((location) => (
          <li key={location.id}>
            <Link
              to={pathTo("locations", { location: location.id })}
              className="font-medium underline"
            >
              {location.name}
            </Link>{" "}
            <span className="tabular-nums">
              {location.max_item_count !== null &&
                `${formatCount(location.item_count)} of ${formatCount(location.max_item_count)}`}
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const columns: readonly SimpleColumn<FailedSyncItem>[] = [
  {
    header: "Error",
    cell: (item) => wideCell(item.error),
  },
  {
    header: "Context",
    grow: true,
    cell: (item) => wideCell(item.context),
  },
];

const failedRowsAsText = (items: readonly FailedSyncItem[]): string =>
  items.map(({ error, context }) => `${error}\t${context}`).join("\n");

/** Error and context of each. */
function FailedRowsTable({ items }: { items: FailedSyncItem[] }) {
  return (
    <SimpleTable
      caption="Failed inventory items"
      columns={columns}
      rows={items}
      getKey={(_, index) => index}
    />
  );
}

/** The specification's failed inventory items dialog. */
function FailedRowsDialog(props: { items: FailedSyncItem[]; total: number; onClose: () => void }) {
  const { items, total, onClose } = props;
  return (
    <Dialog
      onClose={onClose}
      title={`${counted(total, "item")} failed`}
      description="These lots of the file are not in your stock. The others are."
      size="lg"
      footer={
        <>
          <CopyButton label="Copy list" text={() => failedRowsAsText(items)} />
          <Button variant="primary" onClick={onClose}>
            Back
          </Button>
        </>
      }
    >
      <FailedRowsTable items={items} />
      <FirstShown shown={items.length} total={total} />
    </Dialog>
  );
}
