import { doneText, type Job, type JobKinds, resultNumber } from "@/shared/api/jobKinds";
import { counted, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { STOCK } from "@/shared/lib/tags";

const stockAndStore = [...STOCK, "marketplace"] as const;

/** The result of a listing: its batch, with what was refused. */
function listingLink(job: Job) {
  const id = resultNumber(job, "batch_id");
  return id === null
    ? null
    : { label: "Show", to: pathTo("batches", { batch: id, listing: job.id }) };
}

const stockListingLink = (job: Job) => ({
  label: "Show",
  to: pathTo("inventory", { listing: job.id }),
});

/** A sync with its rows: of one batch beside the batch, else beside all syncs. */
function storeSyncLink(job: Job) {
  const id = resultNumber(job, "sync_id");
  const batch = resultNumber(job, "batch_id");
  if (id === null) return null;
  const to =
    batch === null
      ? pathTo("store", { tab: "syncs", storeSync: id })
      : pathTo("batches", { batch, storeSync: id });
  return { label: "Show", to };
}

/** The text for a job that may have changed nothing: `nothing` then, else `words` with the count. */
const doneOr = (words: string, job: Job, noun: string, nothing: string) =>
  resultNumber(job, "item_count") === 0 ? nothing : doneText(words, job, noun);

function pricesText(job: Job): string {
  const fresh = resultNumber(job, "left_out") ?? 0;
  const refreshed = resultNumber(job, "refreshed") ?? 0;
  if (refreshed === 0 && fresh > 0) return "These prices were fetched just now.";
  return doneText("Prices refreshed", job, "lot", "refreshed");
}

/** "3 sent, 2 changed here"; nothing where nothing differed. */
export function cycleFigures(counts: Job["result"]): string {
  const count = (name: string) => Number(counts[name] ?? 0);
  const here = count("changed") + count("zeroed");
  const told = [
    count("sent") && `${formatCount(count("sent"))} sent`,
    count("removed") && `${formatCount(count("removed"))} taken off sale`,
    count("put_up") && `${formatCount(count("put_up"))} put up`,
    count("not_sent") && `${formatCount(count("not_sent"))} not sent`,
    count("orders") && counted(count("orders"), "order"),
    here && `${formatCount(here)} changed here`,
    count("created") && `${formatCount(count("created"))} new here`,
    count("uploaded") && `${formatCount(count("uploaded"))} of batches marked as listed`,
    count("conflicts") && `${formatCount(count("conflicts"))} changed on both sides`,
  ];
  return told.filter(Boolean).join(", ");
}

function syncedText({ result }: Job): string {
  const figures = cycleFigures(result);
  return figures ? `Stock and store are synced: ${figures}.` : "Stock and store agree already.";
}

export const marketplaceJobs: JobKinds = {
  "batches.list_items": {
    running: "Listing",
    done: (job) => doneOr("Listed", job, "lot", "Nothing was listed."),
    touches: stockAndStore,
    link: listingLink,
    cancellable: true,
  },
  "batches.settle_listings": {
    running: "Reading the store again",
    done: (job) => doneText("Found in the store", job, "lot"),
    touches: stockAndStore,
    link: listingLink,
    cancellable: false,
  },
  "batches.list_stock": {
    running: "Listing rows of stock",
    done: (job) => doneOr("Listed", job, "row", "Nothing was listed."),
    touches: stockAndStore,
    link: stockListingLink,
    cancellable: true,
  },
  "batches.unlist_stock": {
    running: "Taking rows off sale",
    done: (job) => doneOr("Taken off sale", job, "row", "Nothing was taken off sale."),
    touches: stockAndStore,
    link: stockListingLink,
    cancellable: true,
  },
  "batches.settle_stock_listings": {
    running: "Reading the store again",
    done: (job) => doneOr("Found in the store", job, "row", "The store does not show the change."),
    touches: stockAndStore,
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
    done: (job) => doneText("Stock and store are synced", job, "lot"),
    touches: stockAndStore,
    link: storeSyncLink,
    cancellable: true,
  },
  "listings.pull_store": {
    running: "Reading your store",
    done: () => "Your store was read.",
    touches: ["inventory", "marketplace"],
    link: (job) => {
      const id = resultNumber(job, "sync_id");
      return id === null ? null : { label: "Show", to: pathTo("inventory", { sync: id }) };
    },
    cancellable: true,
  },
  "listings.sync_store": {
    running: "Syncing stock and store",
    done: syncedText,
    touches: [...stockAndStore, "orders"],
    link: () => ({ label: "Show", to: pathTo("store", { tab: "syncs" }) }),
    cancellable: true,
  },
  "marketplace.get_prices": {
    running: "Getting prices",
    done: (job) => `Got the prices of ${counted(job.done, "lot")}.`,
    touches: ["catalog", "marketplace", "previews", "userSets", "inventory"],
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
