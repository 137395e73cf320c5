import { useQuery, useQueryClient } from "@tanstack/react-query";
import { JobProgress, useJobEnd } from "@/features/jobs/public";
import { invalidate } from "@/shared/lib/tags";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { LoadingDialog } from "@/shared/ui/LoadingDialog";
import { Loading } from "@/shared/ui/states";
import { Ended } from "./Ended";
import type { StoreSync } from "./model";
import { Planned } from "./Planned";
import { storeSyncQueries } from "./queries";
import { isRunning } from "./rules";

/** One sync of stock and store, from its plan to its result, with the view for its state. */
export function StoreSyncDialog(props: {
  id: number;
  onClose: () => void;
  /** Compares again: a batch's stowed items, or the whole stock. */
  onAgain: (batchId: number | null) => void;
  starting: boolean;
}) {
  const { id, onClose, onAgain, starting } = props;
  const query = useQuery(storeSyncQueries.detail(id));
  const { data: sync } = query;
  const client = useQueryClient();
  useJobEnd(sync && isRunning(sync) ? sync.job_id : null, () => {
    const { queryKey } = storeSyncQueries.detail(id);
    void invalidate(client, ["marketplace", "syncs", "rows", id], queryKey);
  });

  if (!sync) {
    return <LoadingDialog title="Sync with the store" query={query} onClose={onClose} />;
  }
  if (isRunning(sync)) return <Running sync={sync} onClose={onClose} />;
  if (sync.state === "planned") return <Planned sync={sync} onClose={onClose} />;
  return (
    <Ended
      sync={sync}
      onClose={onClose}
      onAgain={() => onAgain(sync.batch_id)}
      starting={starting}
    />
  );
}

/** Closing it leaves the job at work. */
function Running({ sync, onClose }: { sync: StoreSync; onClose: () => void }) {
  const planning = sync.state === "planning";
  return (
    <Dialog
      onClose={onClose}
      title={planning ? "Comparing stock and store" : "Syncing stock and store"}
      description={
        planning
          ? "Nothing changes before you have seen the preview."
          : "It continues when you close this. If you stop it, what is done stays done."
      }
      footer={<Button onClick={onClose}>Keep working</Button>}
    >
      {sync.job_id ? <JobProgress jobId={sync.job_id} /> : <Loading />}
    </Dialog>
  );
}
