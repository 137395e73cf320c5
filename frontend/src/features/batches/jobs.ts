import { doneText, type Job, type JobKinds, resultNumber } from "@/shared/api/jobKinds";
import { STOCK } from "@/shared/lib/tags";

/** What an operation on many of a batch's items did and refused. */
function operationLink(job: Job) {
  const id = resultNumber(job, "batch_id");
  return id === null ? null : { label: "Show", to: `/app/batches?batch=${id}&work=${job.id}` };
}

export const batchJobs: JobKinds = {
  "batches.import_bsx": {
    running: "Importing a batch",
    done: (job) => doneText("Batch imported", job, "lot", "lots"),
    touches: ["batches", "batchItems", "locations"],
    link: (job) => {
      const id = resultNumber(job, "batch_id");
      return id === null ? null : { label: "Open batch", to: `/app/batches?batch=${id}` };
    },
    cancellable: true,
  },
  "batches.edit_items": {
    running: "Editing items",
    done: (job) => doneText("Edited", job, "item"),
    touches: STOCK,
    cancellable: true,
  },
  "batches.stow_items": {
    running: "Stowing",
    done: (job) => doneText("Stowed", job, "lot"),
    touches: STOCK,
    link: operationLink,
    cancellable: true,
  },
  "batches.remove_items": {
    running: "Removing",
    done: (job) => doneText("Removed", job, "lot"),
    touches: STOCK,
    link: operationLink,
    cancellable: true,
  },
  "batches.mark_listed": {
    running: "Marking as listed",
    done: (job) => doneText("Marked as listed", job, "lot"),
    touches: ["batches", "batchItems"],
    link: operationLink,
    cancellable: true,
  },
};
