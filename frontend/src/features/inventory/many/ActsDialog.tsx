import { useQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { queryRows } from "@/shared/api/queries";
import type { Schema } from "@/shared/api/wire";
import { formatDateTime } from "@/shared/lib/format";
import { byWhom } from "@/shared/lib/whoDidIt";
import { undoStockAct } from "@/shared/outbox/serverActs";
import { Badge } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { EmptyState, Loaded } from "@/shared/ui/states";
import { tellFailure } from "@/shared/ui/tellFailure";
import { toast } from "@/shared/ui/toast";
import { useRefreshStock } from "../mutations";
import { rowsIn } from "../rules";

type Act = Schema<"ActRow">;

const kinds: Partial<Record<Act["kind"], string>> = {
  move: "Moved",
  split: "Split",
  consolidate: "Consolidated",
  count: "Stocktake",
  reprice: "Re-priced",
  edit: "Edited",
  sync: "Synced with the store",
  name: "Unknown item named",
  currency: "Currency changed",
};

const SHOWN = 50;

const actsQuery = queryRows(["inventory", "acts"], "inventoryActs", {
  query: { page_size: SHOWN },
});

/** What was done to several rows at once, newest first; each can be taken back once. */
export function ActsDialog({ onClose }: { onClose: () => void }) {
  const acts = useQuery(actsQuery);
  const refresh = useRefreshStock();
  const [undoing, setUndoing] = useState<number | null>(null);
  const undo = async (act: Act) => {
    setUndoing(act.id);
    try {
      toast.success((await undoStockAct(act.id)) ?? "Undone");
    } catch (error) {
      tellFailure(error);
    }
    setUndoing(null);
    refresh();
  };
  return (
    <Dialog
      onClose={onClose}
      title="Done to several rows"
      description="Moves, splits, consolidations, stocktakes and new prices: the last 50."
      size="md"
    >
      <Loaded
        query={acts}
        empty={
          <EmptyState title="Nothing yet">
            What you move, split, count or re-price appears here.
          </EmptyState>
        }
      >
        {(data) => (
          <ul className="divide-y divide-line">
            {data.map((act) => (
              <li key={act.id} className="flex items-center gap-3 py-2">
                <span className="min-w-0 flex-1">
                  <span className="block font-medium">
                    {kinds[act.kind] ?? "Changed"}, {rowsIn(act.row_count)}
                  </span>
                  <span className="block truncate text-muted text-xs">
                    {formatDateTime(act.createdAt)}
                    {byWhom(act) && ` · ${byWhom(act)}`}
                    {act.note && ` · “${act.note}”`}
                  </span>
                </span>
                {act.undoneAt ? (
                  <Badge tone="neutral">undone</Badge>
                ) : (
                  <Button
                    size="sm"
                    icon={Undo2}
                    loading={undoing === act.id}
                    onClick={() => void undo(act)}
                  >
                    Undo
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Dialog>
  );
}
