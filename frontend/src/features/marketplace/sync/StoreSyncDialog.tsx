import { useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { JobProgress, useJobEnd } from "@/features/jobs/public";
import { totalOf } from "@/shared/api/envelope";
import { ApiError } from "@/shared/api/errors";
import { counted, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { problemText } from "@/shared/lib/problem";
import { invalidate } from "@/shared/lib/tags";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { CopyButton } from "@/shared/ui/CopyButton";
import { Dialog } from "@/shared/ui/Dialog";
import { LoadingDialog } from "@/shared/ui/LoadingDialog";
import { Pager } from "@/shared/ui/Pager";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { useTellMissing } from "@/shared/ui/sideQuery";
import { Loaded, Loading, Notice } from "@/shared/ui/states";
import { TypedCount } from "@/shared/ui/TypedCount";
import { CallsLeft } from "../CallsLeft";
import { ChannelMark } from "../channels/Marks";
import { ListDialog } from "../listing/ListDialog";
import { useStockListing } from "../listing/useStockListing";
import { Differences } from "./Differences";
import type { RowState, StoreSync, SyncDifference } from "./model";
import { useApplyStoreSync } from "./mutations";
import { storeSyncQueries } from "./queries";
import {
  type Choice,
  firstChoice,
  isChosen,
  isRunning,
  kindsOf,
  kindWords,
  lotsOf,
  lotsToDo,
  removalsLeft,
  toggled,
} from "./rules";

/** One sync of stock and store, from its plan to its result, with the view for its state. */
export function StoreSyncDialog(props: {
  id: number;
  onClose: () => void;
  /** Compares again: a batch's stowed items, or the whole stock. */
  onAgain: (batchId: number | null) => void;
  starting: boolean;
}) {
  const { id, onClose, onAgain, starting } = props;
  const query = useQuery(storeSyncQueries.detail(id));
  const { data: sync } = query;
  const client = useQueryClient();
  useJobEnd(sync && isRunning(sync) ? sync.job_id : null, () => {
    const { queryKey } = storeSyncQueries.detail(id);
    void invalidate(client, ["marketplace", "syncs", "rows", id], queryKey);
  });

  if (!sync) {
    return <LoadingDialog title="Sync with the store" query={query} onClose={onClose} />;
  }
  if (isRunning(sync)) return <Running sync={sync} onClose={onClose} />;
  if (sync.state === "planned") return <Planned sync={sync} onClose={onClose} />;
  return (
    <Ended
      sync={sync}
      onClose={onClose}
      onAgain={() => onAgain(sync.batch_id)}
      starting={starting}
    />
  );
}

/** Closing it leaves the job at work. */
function Running({ sync, onClose }: { sync: StoreSync; onClose: () => void }) {
  const planning = sync.state === "planning";
  return (
    <Dialog
      onClose={onClose}
      title={planning ? "Comparing stock and store" : "Syncing stock and store"}
      description={
        planning
          ? "Nothing changes before you have seen the preview."
          : "It continues when you close this. If you stop it, what is done stays done."
      }
      footer={<Button onClick={onClose}>Keep working</Button>}
    >
      {sync.job_id ? <JobProgress jobId={sync.job_id} /> : <Loading />}
    </Dialog>
  );
}

/** All that a sync would do, before any of it is done. */
function Planned({ sync, onClose }: { sync: StoreSync; onClose: () => void }) {
  const { counts, batch_name: batchName } = sync;
  const notListed = counts.not_listed ?? 0;
  const [choice, setChoice] = useState<Choice>(() => firstChoice(sync));
  const [typed, setTyped] = useState("");
  const [isListing, setIsListing] = useState(false);
  const apply = useApplyStoreSync(sync.id);
  const removals = removalsLeft(sync, choice);
  const lots = lotsToDo(sync, choice);
  const refused = apply.error instanceof ApiError && apply.error.fields?.confirm_removals;

  const blocked =
    lots === 0
      ? choice.all
        ? "There is nothing to change"
        : "Choose lots first"
      : removals > 0 && typed.trim() !== String(removals)
        ? `Type ${removals} first: so many lots would be removed`
        : null;
  if (isListing) return <ListMissing sync={sync} onClose={() => setIsListing(false)} />;
  return (
    <ActDialog
      onClose={onClose}
      title="What differs between stock and store"
      description={`${batchName ? `What ${batchName} stowed` : "Your whole stock"}. Nothing has changed yet.`}
      size="xl"
      holdsInput={false} // a typed count confirms, and is nothing by itself
      act={lots === 0 ? "Sync" : `Sync ${counted(lots, "lot")}`}
      pending={apply.isPending}
      why={blocked}
      onAct={() =>
        apply.mutate({
          typed: removals > 0 ? removals : null,
          [choice.all ? "leaveOut" : "only"]: [...choice.rows.keys()],
        })
      }
    >
      <div className="flex flex-col gap-4">
        {apply.error && (
          <Notice tone="danger" title="It was not applied">
            {refused ? refused.join(" ") : problemText(apply.error)}
          </Notice>
        )}
        {kindsOf(sync).length === 0 &&
          notListed === 0 &&
          ((counts.same ?? 0) > 0 ? (
            <Notice tone="success" title="Stock and store agree">
              {counted(counts.same ?? 0, "lot is", "lots are")} the same on both sides.
            </Notice>
          ) : (
            <Notice tone="info" title="Nothing to compare">
              No lot of your stock is in the store.
            </Notice>
          ))}
        {notListed > 0 && (
          <Notice
            tone="info"
            actions={
              <Button size="sm" onClick={() => setIsListing(true)}>
                List {counted(notListed, "row")}…
              </Button>
            }
          >
            {counted(notListed, "row")} of your stock {notListed === 1 ? "is" : "are"} not in the
            store.
          </Notice>
        )}
        {sync.suspicion && (
          <Notice
            tone="danger"
            title="Is this your store?"
            actions={
              !choice.all && (
                <Button size="sm" onClick={() => setChoice({ all: true, rows: new Map() })}>
                  Choose all {formatCount(lotsOf(sync))} lots
                </Button>
              )
            }
          >
            {sync.suspicion} Nothing is chosen yet.
          </Notice>
        )}
        <Differences
          sync={sync}
          isChosen={({ id }) => isChosen(choice, id)}
          onToggle={(row) => setChoice((now) => toggled(now, row))}
        />
        {removals > 0 && (
          <Notice tone="danger" title={`${counted(removals, "lot")} would be removed`}>
            <p>
              Lots gone from the store leave your stock; lots that you no longer have leave the
              store. Your rows can be restored under Imports; a lot deleted in the store cannot.
            </p>
            <TypedCount count={removals} typed={typed} onTyped={setTyped} />
          </Notice>
        )}
        {lots > 0 && <CallsLeft />}
      </div>
    </ActDialog>
  );
}

/** Lists the rows that the store lacks; their listing is shown in Inventory. */
function ListMissing({ sync, onClose }: { sync: StoreSync; onClose: () => void }) {
  const listing = useStockListing();
  const navigate = useNavigate();
  const filter = {
    listed: "no",
    is_known: "true",
    ...(sync.batch_id !== null && { batch: String(sync.batch_id) }),
  };
  return (
    <ListDialog
      act="stock"
      count={sync.counts.not_listed ?? 0}
      description="Pieces that wait in batches are listed with them."
      pending={listing.isPending}
      error={listing.error}
      onClose={onClose}
      onList={(stockroom) =>
        listing.mutate(
          { act: "stock", rows: { filter }, stockroom },
          { onSuccess: ({ job_id }) => navigate(pathTo("inventory", { listing: job_id })) },
        )
      }
    />
  );
}

/** What a sync came to: what was done, and which lots were not, with their reasons. */
function Ended(props: {
  sync: StoreSync;
  onClose: () => void;
  onAgain: () => void;
  starting: boolean;
}) {
  const { sync, onClose, onAgain, starting } = props;
  const { state, reason } = sync;
  const applied = useQuery(storeSyncQueries.rows(sync.id, { state: "applied" }, 1));
  useTellMissing(applied, "how many lots were brought into line");
  const done = applied.data?.pagination?.total_items ?? 0;
  return (
    <Dialog
      onClose={onClose}
      title={
        state === "applied"
          ? "Stock and store are synced"
          : state === "failed"
            ? "The sync failed"
            : "The sync was stopped"
      }
      size="lg"
      footer={
        <>
          {sync.import_id !== null && (
            <ButtonLink to={pathTo("inventory", { sync: sync.import_id })}>
              Look at the import
            </ButtonLink>
          )}
          <Button icon={RotateCw} loading={starting} onClick={onAgain}>
            Compare again
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {reason && <Notice tone={state === "failed" ? "danger" : "warning"}>{reason}</Notice>}
        {applied.data && (done > 0 || state === "applied") && (
          <Notice tone="success">{counted(done, "lot was", "lots were")} brought into line.</Notice>
        )}
        <NotDone sync={sync} state="failed" title="Failed" />
        <NotDone sync={sync} state="skipped" title="Left out" />
      </div>
    </Dialog>
  );
}

function NotDone({ sync, state, title }: { sync: StoreSync; state: RowState; title: string }) {
  const [page, setPage] = useState(1);
  const query = useQuery(storeSyncQueries.rows(sync.id, { state }, page));
  return (
    <Loaded query={query} empty={null}>
      {(data) => (
        <section aria-label={title}>
          <div className="mb-2 flex items-center justify-between gap-2">
            <h3 className="font-semibold">
              {title} <span className="text-muted tabular-nums">{formatCount(totalOf(data))}</span>
            </h3>
            <CopyButton label="Copy list" text={() => asText(data.data)} />
          </div>
          <SimpleTable
            caption={title}
            columns={columns}
            rows={data.data}
            getKey={(row) => row.id}
          />
          <Pager page={page} pages={data.pagination?.total_pages ?? 1} onPage={setPage} />
        </section>
      )}
    </Loaded>
  );
}

const columns: readonly SimpleColumn<SyncDifference>[] = [
  {
    header: "Lot",
    cell: (row) => (
      <span className="block min-w-24 sm:min-w-44">
        <span className="flex items-center gap-1.5 text-muted text-xs tabular-nums">
          <ChannelMark id={row.channel_id} />
          {row.marketplace_lot_id}
        </span>
        {row.name}
      </span>
    ),
  },
  { header: "What", cell: (row) => kindWords[row.kind].label },
  {
    header: "Reason",
    grow: true,
    cell: (row) => <span className="block min-w-24 sm:min-w-44">{row.reason}</span>,
  },
];

const asText = (rows: readonly SyncDifference[]): string =>
  rows
    .map(({ marketplace_lot_id: lot, name, kind, reason }) =>
      [lot, name, kindWords[kind].label, reason].join("\t"),
    )
    .join("\n");
