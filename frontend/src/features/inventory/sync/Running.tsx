import { useState } from "react";
import { JobProgress, useCancelJob } from "@/features/jobs/public";
import { Button } from "@/shared/ui/Button";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { Dialog } from "@/shared/ui/Dialog";
import { Loading } from "@/shared/ui/states";
import type { InventorySync } from "./model";
import { isOfBatch, isOfStore } from "./rules";

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
export function Running({ sync, onClose }: { sync: InventorySync; onClose: () => void }) {
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
