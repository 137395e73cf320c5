import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { JobProgress, useCancelJob, useJobEnd } from "@/features/jobs/public";
import { invalidate } from "@/shared/lib/tags";
import { Button } from "@/shared/ui/Button";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { Dialog } from "@/shared/ui/Dialog";
import { LoadingDialog } from "@/shared/ui/LoadingDialog";
import { Loading } from "@/shared/ui/states";
import { Ended } from "./Ended";
import type { InventorySync } from "./model";
import { isRunning, useApplySync } from "./mutations";
import { Previewed, useDecisions } from "./Previewed";
import { syncQueries } from "./queries";
import { isOfBatch, isOfStore } from "./rules";

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

const titles = {
  stock: {
    previewing: "Comparing the file with your stock",
    applying: "Importing",
    undoing: "Putting the stock back",
  },
  batch: {
    previewing: "Reading the file",
    applying: "Importing",
    undoing: "Taking the items out of the batch",
  },
};

/** An import while its job works; closing it leaves the job at work. */
function Running({ sync, onClose }: { sync: InventorySync; onClose: () => void }) {
  const [stopping, setStopping] = useState(false);
  const cancel = useCancelJob();
  const { state, job_id } = sync;
  if (state !== "previewing" && state !== "applying" && state !== "undoing") return null;

  const title =
    isOfStore(sync) && state === "previewing" ? "Reading your store" : titles[sync.target][state];
  const stop = () => {
    setStopping(false);
    if (job_id) cancel.mutate(job_id);
  };
  return (
    <>
      <Dialog
        onClose={onClose}
        title={title}
        description={
          state === "previewing"
            ? `${sync.file_name}. Nothing changes before you have seen the preview.`
            : `${sync.file_name}. The import continues if you close this.`
        }
        size="md"
        footer={<Button onClick={onClose}>Keep working</Button>}
      >
        {job_id ? (
          <JobProgress
            jobId={job_id}
            onStop={state === "applying" ? () => setStopping(true) : undefined}
          />
        ) : (
          <Loading />
        )}
      </Dialog>
      <ConfirmDialog
        open={stopping}
        title="Stop the import?"
        confirmLabel="Stop"
        onConfirm={stop}
        onClose={() => setStopping(false)}
      >
        {isOfBatch(sync)
          ? "Nothing of the file stays in your batches."
          : "Changes applied so far stay for now. Then choose: keep them, undo them, or continue."}
      </ConfirmDialog>
    </>
  );
}
