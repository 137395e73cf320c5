import { useInfiniteQuery } from "@tanstack/react-query";
import { FileClock } from "lucide-react";
import { Link } from "react-router-dom";
import { formatCount, formatDateTime } from "@/shared/lib/format";
import { Badge, type Tone } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { Drawer } from "@/shared/ui/Dialog";
import { EmptyState, ErrorState, Loading } from "@/shared/ui/states";
import type { InventorySync, SyncState } from "./model";
import { syncQueries } from "./queries";
import { countsOf, stateWords } from "./rules";

const tones: Partial<Record<SyncState, Tone>> = {
  applied: "success",
  failed: "danger",
  undone: "info",
  previewed: "warning",
  previewing: "accent",
  applying: "accent",
  undoing: "accent",
};

/** The imports so far, newest first; each opens with its result and its undo. */
export function SyncHistory({ onClose }: { onClose: () => void }) {
  const history = useInfiniteQuery(syncQueries.history());
  const syncs = history.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Drawer
      open
      onClose={onClose}
      title="Imports"
      description="Every BSX file put over your stock. Each can be undone."
    >
      {history.error ? (
        <ErrorState error={history.error} onRetry={() => void history.refetch()} />
      ) : history.isPending ? (
        <Loading />
      ) : syncs.length === 0 ? (
        <EmptyState
          icon={<FileClock aria-hidden="true" className="size-5" />}
          title="No imports yet"
        >
          Drop the BSX file of your store on the inventory page.
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-2">
          {syncs.map((sync) => (
            <Entry key={sync.id} sync={sync} />
          ))}
        </ul>
      )}
      {history.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button loading={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
            Older ones
          </Button>
        </div>
      )}
    </Drawer>
  );
}

function Entry({ sync }: { sync: InventorySync }) {
  const counts = countsOf(sync);
  return (
    <li>
      <Link
        to={`/app/inventory?sync=${sync.id}`}
        className="flex flex-col gap-1 rounded-card border border-line p-3 hover:border-edge hover:bg-hover"
      >
        <span className="flex items-center justify-between gap-2">
          <span className="min-w-0 truncate font-medium">{sync.file_name}</span>
          <Badge tone={tones[sync.state] ?? "neutral"}>{stateWords(sync)}</Badge>
        </span>
        <span className="text-muted text-xs tabular-nums">
          {formatDateTime(sync.createdAt)}
          {counts.lots > 0 &&
            ` · ${formatCount(counts.lots)} lots: ${formatCount(counts.created)} new, ${formatCount(counts.changed)} changed, ${formatCount(counts.zeroed)} set to 0`}
        </span>
        {sync.problem && <span className="text-danger text-xs">{sync.problem}</span>}
      </Link>
    </li>
  );
}
