import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useJobEnd } from "@/features/jobs/public";
import { invalidate } from "@/shared/lib/tags";
import { LoadingDialog } from "@/shared/ui/LoadingDialog";
import { Ended } from "./Ended";
import type { InventorySync } from "./model";
import { isRunning, useApplySync } from "./mutations";
import { Previewed } from "./Previewed";
import { syncQueries } from "./queries";
import { Running } from "./Running";
import { changesNothing, countsOf, countToType, currencyQuestion } from "./rules";

/** One import from its preview to its result, with the view for its state. */
export function SyncDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery(syncQueries.detail(id));
  const { data: sync } = query;
  const client = useQueryClient();
  useJobEnd(sync && isRunning(sync) ? sync.job_id : null, () => {
    void invalidate(client, syncQueries.detail(id).queryKey);
  });

  const apply = useApplySync(id);
  const decisions = useDecisions(sync, (typed) => apply.mutate(typed));

  if (!sync) {
    return <LoadingDialog title="Import" query={query} onClose={onClose} />;
  }
  if (isRunning(sync)) return <Running sync={sync} onClose={onClose} />;
  if (sync.state === "previewed") return <Previewed {...{ sync, apply, decisions, onClose }} />;
  return <Ended sync={sync} onClose={onClose} />;
}

export type Decisions = ReturnType<typeof useDecisions>;

/**
 * What was decided changes the preview first. Where the new one asks nothing more, it is applied
 * without another press.
 */
function useDecisions(sync: InventorySync | undefined, onApply: (typed: number | null) => void) {
  const [made, setMade] = useState<{ over: InventorySync; typed: string } | null>(null);
  useEffect(() => {
    if (!sync || !made || sync === made.over || isRunning(sync)) return;
    setMade(null);
    if (sync.state !== "previewed" || currencyQuestion(sync)) return;
    const counts = countsOf(sync);
    const toType = countToType(counts);
    if (toType !== null && made.typed !== String(toType)) return;
    if (!changesNothing(counts) || counts.new_locations > 0) onApply(toType);
  }, [sync, made, onApply]);
  return {
    isMade: made !== null,
    make: (typed: string) => sync && setMade({ over: sync, typed: typed.trim() }),
    forget: () => setMade(null),
  };
}
