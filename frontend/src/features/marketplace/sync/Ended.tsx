import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { totalOf } from "@/shared/api/envelope";
import { counted, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { CopyButton } from "@/shared/ui/CopyButton";
import { Dialog } from "@/shared/ui/Dialog";
import { Pager } from "@/shared/ui/Pager";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { useTellMissing } from "@/shared/ui/sideQuery";
import { Loaded, Notice } from "@/shared/ui/states";
import { ChannelMark } from "../channels/Marks";
import type { RowState, StoreSync, SyncDifference } from "./model";
import { storeSyncQueries } from "./queries";
import { kindWords } from "./rules";

/** What a sync came to: what was done, and which lots were not, with their reasons. */
export function Ended(props: {
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
