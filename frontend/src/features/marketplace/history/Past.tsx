import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { counted, formatDateTime } from "@/shared/lib/format";
import { paths, pathTo } from "@/shared/lib/paths";
import type { ListAnswer } from "@/shared/table/column";
import { Badge } from "@/shared/ui/Badge";
import { ButtonLink } from "@/shared/ui/Button";
import { Pager } from "@/shared/ui/Pager";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { EmptyState, Loaded } from "@/shared/ui/states";
import type { StoreSync } from "../sync/model";
import { historyQueries } from "./queries";
import {
  type Ended,
  type ListingRun,
  runFigures,
  runOutcome,
  syncFigures,
  syncOutcome,
} from "./rules";

/** Past listings, newest first. Each opens with its refused rows, to be corrected and retried. */
export function Listings() {
  const [page, onPage] = useState(1);
  const query = useQuery(historyQueries.listings(page));
  return (
    <PastTable
      caption="Listings"
      columns={listingColumns}
      query={query}
      empty={
        <EmptyState
          title="Nothing was listed yet"
          actions={<ButtonLink to={paths.batches}>Open the batches</ButtonLink>}
        >
          Open a batch with stowed items and choose List.
        </EmptyState>
      }
      {...{ page, onPage }}
    />
  );
}

/** Past syncs, newest first; each opens with its rows, to be applied or looked at again. */
export function Syncs() {
  const [page, onPage] = useState(1);
  const query = useQuery(historyQueries.syncs(page));
  return (
    <PastTable
      caption="Syncs"
      columns={syncColumns}
      query={query}
      empty={
        <EmptyState title="Nothing was synced yet">
          Sync compares your stock with the store, and shows what differs before anything changes.
        </EmptyState>
      }
      {...{ page, onPage }}
    />
  );
}

/** Draws a page of past acts with its pager. */
function PastTable<Row extends { id: number | string }>(props: {
  caption: string;
  columns: readonly SimpleColumn<Row>[];
  query: UseQueryResult<ListAnswer<Row>>;
  empty: ReactNode;
  page: number;
  onPage: (page: number) => void;
}) {
  const { caption, columns, query, empty, page, onPage } = props;
  return (
    <Loaded query={query} empty={empty}>
      {({ data, pagination }) => (
        <>
          <SimpleTable
            {...{ caption, columns, rows: data, maxHeight: "none" }}
            getKey={({ id }) => id}
          />
          <Pager page={page} pages={pagination?.total_pages ?? 1} onPage={onPage} />
        </>
      )}
    </Loaded>
  );
}

function NameCell({ row, children }: { row: Pick<StoreSync, "createdAt">; children: ReactNode }) {
  return (
    <span className="block min-w-24 sm:min-w-64">
      {children}
      <span className="block text-muted text-xs">{formatDateTime(row.createdAt)}</span>
    </span>
  );
}

function ResultCell(props: Ended & { reason: ReactNode; children: ReactNode }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
      <Badge tone={props.tone}>{props.text}</Badge>
      {props.children}
      {props.reason && <span className="wrap-anywhere w-full text-muted">{props.reason}</span>}
    </span>
  );
}

const listingColumns: readonly SimpleColumn<ListingRun>[] = [
  {
    header: "Of",
    cell: (run) => (
      <NameCell row={run}>
        {run.act !== "items" ? (
          "Rows of the stock"
        ) : run.batch_name === null ? (
          <span className="text-muted">deleted</span>
        ) : (
          <Link
            to={pathTo("batches", { batch: run.batch_id })}
            className="wrap-anywhere text-accent-ink underline-offset-2 hover:underline"
          >
            {run.batch_name}
          </Link>
        )}
      </NameCell>
    ),
  },
  {
    header: "Result",
    grow: true,
    cell: (run) => (
      <ResultCell {...runOutcome(run)} reason={run.state === "failed" && run.message}>
        {runFigures(run)}
        {run.calls !== null && (
          <span className="text-muted text-xs">{counted(run.calls, "call")}</span>
        )}
      </ResultCell>
    ),
  },
  {
    header: "Open",
    cell: (run) =>
      run.act === "items" && run.batch_name === null ? null : (
        <ButtonLink
          size="sm"
          to={
            run.act === "items"
              ? pathTo("batches", { batch: run.batch_id, listing: run.id })
              : pathTo("inventory", { listing: run.id })
          }
          aria-label={`Open the listing of ${run.batch_name ?? "rows of the stock"}`}
        >
          {run.failed_count > 0 ? "Refused" : "Open"}
        </ButtonLink>
      ),
  },
];

function syncOf(sync: StoreSync): string {
  if (sync.way === "cycle") return sync.is_scheduled ? "By schedule" : "Sync now";
  return sync.batch_id === null ? "The whole stock" : (sync.batch_name ?? "A deleted batch");
}

const syncColumns: readonly SimpleColumn<StoreSync>[] = [
  {
    header: "Of",
    cell: (sync) => <NameCell row={sync}>{syncOf(sync)}</NameCell>,
  },
  {
    header: "What differed",
    grow: true,
    cell: (sync) => (
      <ResultCell {...syncOutcome(sync)} reason={sync.reason}>
        {syncFigures(sync)}
      </ResultCell>
    ),
  },
  {
    header: "Open",
    cell: (sync) => (
      <ButtonLink
        size="sm"
        to={pathTo("store", { tab: "syncs", storeSync: sync.id })}
        aria-label={`Open the sync of ${formatDateTime(sync.createdAt)}`}
      >
        {syncOutcome(sync).text === "not applied" ? "Look" : "Open"}
      </ButtonLink>
    ),
  },
];
