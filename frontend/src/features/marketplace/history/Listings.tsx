import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { counted, formatDateTime } from "@/shared/lib/format";
import { paths, pathTo } from "@/shared/lib/paths";
import { Badge } from "@/shared/ui/Badge";
import { ButtonLink } from "@/shared/ui/Button";
import { Pager } from "@/shared/ui/Pager";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { EmptyState, Loaded } from "@/shared/ui/states";
import type { ListingRun } from "./model";
import { historyQueries } from "./queries";
import { runFigures, runOutcome } from "./rules";

/** Past listings, newest first. Each opens with its refused rows, to be corrected and retried. */
export function Listings() {
  const [page, setPage] = useState(1);
  const query = useQuery(historyQueries.listings(page));
  return (
    <Loaded
      query={query}
      empty={
        <EmptyState
          title="Nothing was listed yet"
          actions={<ButtonLink to={paths.batches}>Open the batches</ButtonLink>}
        >
          Open a batch with stowed items and choose List.
        </EmptyState>
      }
    >
      {(data) => (
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
      )}
    </Loaded>
  );
}

const columns: readonly SimpleColumn<ListingRun>[] = [
  {
    header: "Of",
    cell: (run) => (
      <span className="block min-w-24 sm:min-w-64">
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
        <span className="block text-muted text-xs">{formatDateTime(run.createdAt)}</span>
      </span>
    ),
  },
  {
    header: "Result",
    grow: true,
    cell: (run) => {
      const { tone, text } = runOutcome(run);
      return (
        <span className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
          <Badge tone={tone}>{text}</Badge>
          {runFigures(run)}
          {run.calls !== null && (
            <span className="text-muted text-xs">{counted(run.calls, "call")}</span>
          )}
          {run.state === "failed" && (
            <span className="wrap-anywhere w-full text-muted">{run.message}</span>
          )}
        </span>
      );
    },
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
