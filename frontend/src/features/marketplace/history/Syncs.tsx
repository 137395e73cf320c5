import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatDateTime } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { Badge } from "@/shared/ui/Badge";
import { ButtonLink } from "@/shared/ui/Button";
import { Pager } from "@/shared/ui/Pager";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { EmptyState, Loaded } from "@/shared/ui/states";
import type { StoreSync } from "../sync/model";
import { historyQueries } from "./queries";
import { syncFigures, syncOutcome } from "./rules";

/** Past syncs, newest first; each opens with its rows, to be applied or looked at again. */
export function Syncs() {
  const [page, setPage] = useState(1);
  const query = useQuery(historyQueries.syncs(page));
  return (
    <Loaded
      query={query}
      empty={
        <EmptyState title="Nothing was synced yet">
          Sync compares your stock with the store, and shows what differs before anything changes.
        </EmptyState>
      }
    >
      {(data) => (
        <>
          <SimpleTable
            caption="Syncs"
            columns={columns}
            rows={data.data}
            getKey={(sync) => sync.id}
            maxHeight="none"
          />
          <Pager page={page} pages={data.pagination?.total_pages ?? 1} onPage={setPage} />
        </>
      )}
    </Loaded>
  );
}

function syncOf(sync: StoreSync): string {
  if (sync.way === "cycle") return sync.is_scheduled ? "By schedule" : "Sync now";
  return sync.batch_id === null ? "The whole stock" : (sync.batch_name ?? "A deleted batch");
}

const columns: readonly SimpleColumn<StoreSync>[] = [
  {
    header: "Of",
    cell: (sync) => (
      <span className="block min-w-24 sm:min-w-64">
        {syncOf(sync)}
        <span className="block text-muted text-xs">{formatDateTime(sync.createdAt)}</span>
      </span>
    ),
  },
  {
    header: "What differed",
    grow: true,
    cell: (sync) => {
      const { tone, text } = syncOutcome(sync);
      return (
        <span className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
          <Badge tone={tone}>{text}</Badge>
          {syncFigures(sync)}
          {sync.reason && <span className="wrap-anywhere w-full text-muted">{sync.reason}</span>}
        </span>
      );
    },
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
