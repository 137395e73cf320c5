import {
  doneText,
  type Job,
  type JobKinds,
  resultNumber,
  resultNumbers,
} from "@/shared/api/jobKinds";
import { pathTo } from "@/shared/lib/paths";
import { rowsWith } from "@/shared/lib/records";
import { STOCK } from "@/shared/lib/tags";
import { historyKeyOf } from "./model";

/** What an operation on many of a batch's items refused. */
function operationLink(job: Job) {
  const id = resultNumber(job, "batch_id");
  return id === null || job.failed_count === 0
    ? null
    : { label: "Show", to: pathTo("batches", { batch: id, work: job.id }) };
}

/** Takes an operation on a batch's items back. */
function operationUndo(job: Job) {
  const batch = resultNumber(job, "batch_id");
  const ids = resultNumbers(job, "act_ids");
  if (batch === null || ids.length === 0) return null;
  return { table: historyKeyOf({ id: batch }), acts: ids.map((id) => ({ id, batch })) };
}

/** The same for edits, which may be of several batches: the first one's history has them. */
function editUndo(job: Job) {
  const acts = rowsWith<{ batch_id: number; act_id: number }>(
    job.result.acts,
    "batch_id",
    "act_id",
  );
  const [first] = acts;
  return first
    ? {
        table: historyKeyOf({ id: first.batch_id }),
        acts: acts.map(({ batch_id, act_id }) => ({ id: act_id, batch: batch_id })),
      }
    : null;
}

const importWords = (job: Job) =>
  resultNumber(job, "batch_id") === null
    ? "The preview of the import is ready."
    : doneText("Batch imported", job, "lot", "lots");

/** The import with its undo, over its batch; or its preview, where it waits for an answer. */
function importLink(job: Job) {
  const [id, batch] = [resultNumber(job, "sync_id"), resultNumber(job, "batch_id")];
  if (id === null) return null;
  return { label: "Show", to: pathTo("batches", { batch, sync: id }) };
}

export const batchJobs: JobKinds = {
  "batches.import_bsx": {
    running: "Reading a file for a batch",
    done: importWords,
    // The first file decides the currency, which every page names.
    touches: "everything",
    link: importLink,
    countsBytes: true,
    cancellable: true,
  },
  "batches.apply_import": {
    running: "Importing a batch",
    done: importWords,
    touches: "everything",
    link: importLink,
    cancellable: true,
  },
  "batches.undo_import": {
    running: "Undoing the import",
    done: () => "The import was undone.",
    touches: "everything",
    link: importLink,
    cancellable: false,
  },
  "batches.edit_items": {
    running: "Editing items",
    done: (job) => doneText("Edited", job, "item"),
    touches: STOCK,
    undo: editUndo,
    cancellable: true,
  },
  "batches.stow_items": {
    running: "Stowing",
    done: (job) => doneText("Stowed", job, "lot"),
    touches: STOCK,
    link: operationLink,
    undo: operationUndo,
    cancellable: true,
  },
  "batches.remove_items": {
    running: "Removing",
    done: (job) => doneText("Removed", job, "lot"),
    touches: STOCK,
    link: operationLink,
    undo: (job) => {
      const undo = operationUndo(job);
      return undo && { ...undo, deletes: true };
    },
    cancellable: true,
  },
  "batches.mark_listed": {
    running: "Marking as listed",
    done: (job) => doneText("Marked as listed", job, "lot"),
    touches: ["batches", "batchItems"],
    link: operationLink,
    undo: operationUndo,
    cancellable: true,
  },
};
