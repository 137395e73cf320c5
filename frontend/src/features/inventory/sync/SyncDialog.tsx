import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useJobEnd } from "@/features/jobs/public";
import { invalidate } from "@/shared/lib/tags";
import { LoadingDialog } from "@/shared/ui/LoadingDialog";
import { Ended } from "./Ended";
import { isRunning, useApplySync } from "./mutations";
import { Previewed, useDecisions } from "./Previewed";
import { syncQueries } from "./queries";
import { Running } from "./Running";

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
