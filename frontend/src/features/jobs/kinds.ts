/**
 * What each kind of job is called and what its end means. Data of this feature and not of the
 * others: a job found after a reload is shown before the page that started it is loaded.
 */
import { counted, formatCount } from "@/shared/lib/format";
import { type Job, resultNumber } from "./model";

export type JobKind = {
  /** While it runs: "Writing the BSX file". */
  running: string;
  /** When it is done, with its figures. */
  done: (job: Job) => string;
  /** It ended well, but nothing came of it: shown without a tick, in the server's words. */
  isEmpty?: (job: Job) => boolean;
  /** First keys of the queries that its end makes stale. */
  touches: readonly string[];
  /** The link to its result. */
  link?: (job: Job) => { label: string; to: string } | null;
  /** The act to take back, and the table that has it in its history. */
  undo?: (job: Job) => { table: string; actId: number } | null;
  /** A file to fetch at its end: an endpoint of the API. */
  file?: (job: Job) => string | null;
  /** Its progress is counted in bytes: shown as a share, and as busy while none are read. */
  countsBytes?: boolean;
  /** It may take days, and pages show how far it is: only its end is shown. */
  isLong?: boolean;
  /** Stopping is offered only where stopping leaves nothing half-done. */
  cancellable: boolean;
};

const lots = (count: number | null) =>
  count === null ? "" : `: ${formatCount(count)} ${count === 1 ? "lot" : "lots"}`;

const rows = (count: number | null) =>
  count === null ? "" : `: ${formatCount(count)} ${count === 1 ? "row" : "rows"}`;

const wroteNothing = (job: Job) => resultNumber(job, "row_count") === 0;

function exportFile(job: Job): string | null {
  const id = resultNumber(job, "export_id");
  return id === null || wroteNothing(job) ? null : `exports/${id}/file`;
}

function syncLink(job: Job) {
  const id = resultNumber(job, "sync_id");
  return id === null ? null : { label: "Show", to: `/app/inventory?sync=${id}` };
}

function batchLink(job: Job) {
  const id = resultNumber(job, "batch_id");
  return id === null ? null : { label: "Open batch", to: `/app/batches?batch=${id}` };
}

/** What an operation on many of a batch's items did and refused. */
function operationLink(job: Job) {
  const id = resultNumber(job, "batch_id");
  return id === null ? null : { label: "Show", to: `/app/batches?batch=${id}&work=${job.id}` };
}

/** The result of a listing: its batch, with what was refused. */
function listingLink(job: Job) {
  const id = resultNumber(job, "batch_id");
  return id === null ? null : { label: "Show", to: `/app/batches?batch=${id}&listing=${job.id}` };
}

const stockListingLink = (job: Job) => ({
  label: "Show",
  to: `/app/inventory?listing=${job.id}`,
});

function stockText(job: Job, done: string, nothing: string): string {
  const count = resultNumber(job, "item_count");
  return count === 0 ? nothing : `${done}${rows(count)}.`;
}

function listedText(job: Job): string {
  const listed = resultNumber(job, "item_count");
  return listed === 0 ? "Nothing was listed." : `Listed${lots(listed)}.`;
}

/** A sync with its rows: of one batch beside the batch, else beside all syncs. */
function storeSyncLink(job: Job) {
  const id = resultNumber(job, "sync_id");
  const batch = resultNumber(job, "batch_id");
  if (id === null) return null;
  const page = batch === null ? "store?tab=syncs" : `batches?batch=${batch}`;
  return { label: "Show", to: `/app/${page}&storeSync=${id}` };
}

/** What takes an act on stock back, where it changed anything. */
function stockUndo(job: Job) {
  const id = resultNumber(job, "act_id");
  const isEmpty = resultNumber(job, "item_count") === 0;
  return id === null || isEmpty ? null : { table: "inventory", actId: id };
}

function pricesText(job: Job): string {
  const fresh = resultNumber(job, "left_out") ?? 0;
  const refreshed = resultNumber(job, "refreshed") ?? 0;
  if (refreshed === 0 && fresh > 0) return "These prices were fetched just now.";
  return `Prices refreshed${lots(refreshed)}.`;
}

const stock = ["inventory", "locations", "batches", "batchItems", "home"] as const;

/** Whatever shows the account's currency; taking an act back may restore the former one. */
const withAmounts = [...stock, "profile", "userSets", "marketplace", "reports"] as const;

export const jobKinds: Record<string, JobKind> = {
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
    touches: stock,
    link: syncLink,
    cancellable: true,
  },
  "inventory.undo_sync": {
    running: "Undoing the import",
    done: () => "The import was undone.",
    touches: stock,
    link: syncLink,
    cancellable: false,
  },
  "inventory.move_items": {
    running: "Moving",
    done: (job) => `Moved${rows(resultNumber(job, "item_count"))}.`,
    touches: stock,
    undo: stockUndo,
    cancellable: true,
  },
  "inventory.consolidate_items": {
    running: "Consolidating",
    done: (job) => `Consolidated${lots(resultNumber(job, "item_count"))}.`,
    touches: stock,
    undo: stockUndo,
    cancellable: true,
  },
  "inventory.reprice_items": {
    running: "Re-pricing",
    done: (job) => `Re-priced${rows(resultNumber(job, "item_count"))}.`,
    touches: stock,
    undo: stockUndo,
    cancellable: true,
  },
  "inventory.change_currency": {
    running: "Changing the currency",
    done: (job) => `Your amounts are in ${job.result?.currency} now.`,
    touches: withAmounts,
    undo: stockUndo,
    cancellable: true,
  },
  "inventory.edit_items": {
    running: "Editing the stock",
    done: (job) => `Edited${rows(resultNumber(job, "item_count"))}.`,
    touches: stock,
    undo: stockUndo,
    cancellable: true,
  },
  "inventory.undo_act": {
    running: "Taking it back",
    done: (job) => `Taken back${rows(resultNumber(job, "item_count"))}.`,
    touches: withAmounts,
    cancellable: false,
  },
  "batches.import_bsx": {
    running: "Importing a batch",
    done: (job) => `Batch imported${lots(resultNumber(job, "lots"))}.`,
    touches: ["batches", "batchItems", "locations"],
    link: batchLink,
    cancellable: true,
  },
  "batches.stow_items": {
    running: "Stowing",
    done: (job) => `Stowed${lots(resultNumber(job, "item_count"))}.`,
    touches: stock,
    link: operationLink,
    cancellable: true,
  },
  "batches.remove_items": {
    running: "Removing",
    done: (job) => `Removed${lots(resultNumber(job, "item_count"))}.`,
    touches: stock,
    link: operationLink,
    cancellable: true,
  },
  "batches.mark_listed": {
    running: "Marking as listed",
    done: (job) => `Marked as listed${lots(resultNumber(job, "item_count"))}.`,
    touches: ["batches", "batchItems"],
    link: operationLink,
    cancellable: true,
  },
  "batches.list_items": {
    running: "Listing",
    done: listedText,
    touches: [...stock, "marketplace"],
    link: listingLink,
    cancellable: true,
  },
  "batches.settle_listings": {
    running: "Reading the store again",
    done: (job) => `Found in the store${lots(resultNumber(job, "item_count"))}.`,
    touches: [...stock, "marketplace"],
    link: listingLink,
    cancellable: false,
  },
  "batches.list_stock": {
    running: "Listing rows of stock",
    done: (job) => stockText(job, "Listed", "Nothing was listed."),
    touches: [...stock, "marketplace"],
    link: stockListingLink,
    cancellable: true,
  },
  "batches.unlist_stock": {
    running: "Taking rows off sale",
    done: (job) => stockText(job, "Taken off sale", "Nothing was taken off sale."),
    touches: [...stock, "marketplace"],
    link: stockListingLink,
    cancellable: true,
  },
  "batches.settle_stock_listings": {
    running: "Reading the store again",
    done: (job) => stockText(job, "Found in the store", "The store does not show the change."),
    touches: [...stock, "marketplace"],
    link: stockListingLink,
    cancellable: false,
  },
  "batches.plan_store_sync": {
    running: "Comparing stock and store",
    done: () => "The comparison of stock and store is ready.",
    touches: ["marketplace"],
    link: storeSyncLink,
    cancellable: true,
  },
  "batches.apply_store_sync": {
    running: "Syncing stock and store",
    done: (job) => `Stock and store are synced${lots(resultNumber(job, "item_count"))}.`,
    touches: [...stock, "marketplace"],
    link: storeSyncLink,
    cancellable: true,
  },
  "auctions.refresh_listings": {
    running: "Looking for auction listings",
    done: (job) =>
      `Listings refreshed: ${formatCount(resultNumber(job, "new"))} new, ${formatCount(resultNumber(job, "renewed"))} renewed.`,
    touches: ["auctions"],
    cancellable: true,
  },
  "sets.find_buildable": {
    running: "Comparing sets with your stock",
    done: (job) => `${formatCount(resultNumber(job, "sets"))} sets found.`,
    touches: ["buildSearches"],
    link: () => ({ label: "Show", to: "/app/userSets?build=1" }),
    cancellable: true,
  },
  "exports.export_items": {
    running: "Writing the file",
    done: (job) => `The file is ready${lots(resultNumber(job, "row_count"))}.`,
    isEmpty: wroteNothing,
    touches: ["exports", "batches"],
    file: exportFile,
    cancellable: true,
  },
  "backups.write_backup": {
    running: "Writing your backup",
    done: () => "Your backup is ready.",
    touches: ["backups"],
    link: () => ({ label: "Show", to: "/app/settings" }),
    cancellable: true,
  },
  "backups.restore_backup": {
    running: "Restoring your backup",
    done: (job) => `Everything is back${rows(job.total)}.`,
    touches: [...stock, "sources", "sets", "auctions", "preferences"],
    cancellable: true,
  },
  "orders.pull_orders": {
    running: "Reading the store's orders",
    done: (job) => {
      const count = resultNumber(job, "order_count") ?? 0;
      return count === 0 ? "No order changed." : `${counted(count, "order")} read.`;
    },
    isEmpty: (job) => resultNumber(job, "order_count") === 0,
    touches: ["orders", "inventory", "home"],
    link: () => ({ label: "Show", to: "/app/orders" }),
    cancellable: true,
  },
  "orders.tell_marketplace": {
    running: "Sending changes to the store",
    done: () => "The store has the changes.",
    touches: ["orders"],
    cancellable: false,
  },
  "marketplace.get_prices": {
    running: "Getting prices",
    done: (job) => `Got the prices of ${counted(job.done, "lot")}.`,
    touches: ["catalog", "marketplace", "repricing", "batchPreviews", "sets", "inventory"],
    isLong: true,
    cancellable: true,
  },
  "marketplace.refresh_prices": {
    running: "Asking for prices",
    done: pricesText,
    touches: ["catalog", "marketplace"],
    cancellable: true,
  },
};

const unknownKind: JobKind = {
  running: "Working",
  done: () => "Done.",
  touches: [],
  cancellable: true,
};

/** How far a job is, as its bar shows it. */
export function barOf(job: Job): { done: number; total: number | null; asPercent: boolean } {
  const { countsBytes = false } = kindOf(job);
  const { done } = job;
  return { done, total: countsBytes && done === 0 ? null : job.total, asPercent: countsBytes };
}

export const kindOf = (job: Job): JobKind => jobKinds[job.kind] ?? unknownKind;
