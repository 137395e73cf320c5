import { doneText, type Job, type JobKinds, resultNumber } from "@/shared/api/jobKinds";
import { pathTo } from "@/shared/lib/paths";
import { STOCK } from "@/shared/lib/tags";

function syncLink(job: Job) {
  const id = resultNumber(job, "sync_id");
  return id === null ? null : { label: "Show", to: pathTo("inventory", { sync: id }) };
}

/** What takes an act on stock back, where it changed anything. */
function undo(job: Job) {
  const id = resultNumber(job, "act_id");
  const isEmpty = resultNumber(job, "item_count") === 0;
  return id === null || isEmpty ? null : { table: "inventory", acts: [{ id }] };
}

export const inventoryJobs: JobKinds = {
  "inventory.preview_sync": {
    running: "Comparing the file with your stock",
    done: () => "The preview of the import is ready.",
    touches: ["inventory"],
    link: syncLink,
    countsBytes: true,
    cancellable: true,
  },
  "inventory.sync_bsx": {
    running: "Importing the BSX file",
    done: () => "The import is applied.",
    // The first file decides the currency, which every page names.
    touches: "everything",
    link: syncLink,
    cancellable: true,
  },
  "inventory.undo_sync": {
    running: "Undoing the import",
    done: () => "The import was undone.",
    touches: "everything",
    link: syncLink,
    cancellable: false,
  },
  "inventory.move_items": {
    running: "Moving",
    done: (job) => doneText("Moved", job, "row"),
    touches: STOCK,
    undo,
    cancellable: true,
  },
  "inventory.consolidate_items": {
    running: "Consolidating",
    done: (job) => doneText("Consolidated", job, "lot"),
    touches: STOCK,
    undo,
    cancellable: true,
  },
  "inventory.reprice_items": {
    running: "Re-pricing",
    done: (job) => doneText("Re-priced", job, "row"),
    touches: STOCK,
    undo,
    cancellable: true,
  },
  "inventory.change_currency": {
    running: "Changing the currency",
    done: (job) => `Your amounts are in ${job.result?.currency} now.`,
    touches: "everything",
    undo,
    cancellable: true,
  },
  "inventory.edit_items": {
    running: "Editing the stock",
    done: (job) => doneText("Edited", job, "row"),
    touches: STOCK,
    undo,
    cancellable: true,
  },
  "inventory.name_items": {
    running: "Naming items",
    done: (job) => doneText("Named", job, "row"),
    touches: STOCK,
    undo,
    cancellable: true,
  },
  "inventory.name_words": {
    running: "Naming conditions and colours",
    done: (job) => doneText("Named", job, "row"),
    touches: STOCK,
    undo,
    cancellable: true,
  },
  "inventory.renumber_items": {
    running: "Changing numbers",
    done: (job) => doneText("New numbers for", job, "row"),
    touches: STOCK,
    undo,
    cancellable: true,
  },
  "inventory.undo_act": {
    running: "Taking it back",
    done: (job) => doneText("Undone", job, "row"),
    touches: "everything",
    cancellable: false,
  },
};
