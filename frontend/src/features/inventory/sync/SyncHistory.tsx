import { useInfiniteQuery } from "@tanstack/react-query";
import { FileClock } from "lucide-react";
import { Link } from "react-router-dom";
import { counted, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { Badge, type Tone } from "@/shared/ui/Badge";
import { PagedDrawer } from "@/shared/ui/PagedDrawer";
import { EmptyState } from "@/shared/ui/states";
import { When } from "@/shared/ui/When";
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
  return (
    <PagedDrawer
      onClose={onClose}
      title="Imports"
      description="Every file imported into your stock, and every pull of your store. Each can be undone."
      list={history}
      empty={
        <EmptyState icon={FileClock} title="No imports yet">
          Drop a file of your store on the inventory page.
        </EmptyState>
      }
    >
      {(syncs) => (
        <ul className="flex flex-col gap-2">
          {syncs.map((sync) => (
            <Entry key={sync.id} sync={sync} />
          ))}
        </ul>
      )}
    </PagedDrawer>
  );
}

function Entry({ sync }: { sync: InventorySync }) {
  const counts = countsOf(sync);
  return (
    <li>
      <Link
        to={pathTo("inventory", { sync: sync.id })}
        className="flex flex-col gap-1 rounded-card border border-line p-3 hover:border-edge hover:bg-hover"
      >
        <span className="flex items-center justify-between gap-2">
          <span className="min-w-0 truncate font-medium">{sync.file_name}</span>
          <Badge tone={tones[sync.state] ?? "neutral"}>{stateWords(sync)}</Badge>
        </span>
        <span className="text-muted text-xs tabular-nums">
          <When at={sync.createdAt} />
          {counts.lots > 0 &&
            ` · ${counted(counts.lots, "lot")}: ${formatCount(counts.created)} new, ${formatCount(counts.changed)} changed, ${formatCount(counts.zeroed)} set to 0`}
        </span>
        {sync.problem && <span className="text-danger text-xs">{sync.problem}</span>}
      </Link>
    </li>
  );
}
