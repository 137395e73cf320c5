import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { formatCount, formatDateTime } from "@/shared/lib/format";
import { Badge } from "@/shared/ui/Badge";
import { ButtonLink } from "@/shared/ui/Button";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { EmptyState, ErrorState, Loading } from "@/shared/ui/states";
import { Pager } from "../sync/Pager";
import type { ListingRun } from "./model";
import { historyQueries } from "./queries";
import { runFigures, runOutcome } from "./rules";

/** Past listings, newest first; each opens with what was refused, to be mended and tried again. */
export function Listings() {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(historyQueries.listings(page));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  if (data.data.length === 0) {
    return (
      <EmptyState
        title="Nothing was listed yet"
        actions={<ButtonLink to="/app/batches">Open the batches</ButtonLink>}
      >
        Open a batch with stowed items and choose List.
      </EmptyState>
    );
  }
  return (
    <>
      <SimpleTable
        caption="Listings"
        columns={columns}
        rows={data.data}
        getKey={(run) => run.id}
        maxHeight="none"
      />
      <Pager page={page} pages={data.pagination?.total_pages ?? 1} onPage={setPage} />
    </>
  );
}

const columns: readonly SimpleColumn<ListingRun>[] = [
  {
    header: "When",
    cell: (run) => <span className="whitespace-nowrap">{formatDateTime(run.createdAt)}</span>,
  },
  {
    header: "Batch",
    cell: (run) =>
      run.batch_name === null ? (
        <span className="text-muted">deleted</span>
      ) : (
        <Link
          to={`/app/batches?batch=${run.batch_id}`}
          className="block min-w-24 underline-offset-2 hover:underline"
        >
          {run.batch_name}
        </Link>
      ),
  },
  {
    header: "Result",
    cell: (run) => {
      const { tone, text } = runOutcome(run);
      return <Badge tone={tone}>{text}</Badge>;
    },
  },
  {
    header: "What came of it",
    grow: true,
    cell: (run) => (
      <span className="block min-w-44">
        {runFigures(run)}
        {run.state === "failed" && <span className="block text-muted">{run.message}</span>}
      </span>
    ),
  },
  {
    header: "Calls",
    align: "end",
    cell: (run) => (run.calls === null ? "" : formatCount(run.calls)),
  },
  {
    header: "Open",
    cell: (run) =>
      run.batch_name === null ? null : (
        <ButtonLink
          size="sm"
          variant="ghost"
          to={`/app/batches?batch=${run.batch_id}&listing=${run.id}`}
          aria-label={`Open the listing of ${run.batch_name}`}
        >
          {run.failed_count > 0 ? "Refused rows" : "Open"}
        </ButtonLink>
      ),
  },
];
