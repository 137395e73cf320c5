/** What the batch pages explain beforehand. apps/batches/rules decides. */
import type { Batch, BatchItem, BatchStats, ItemState, ProgressFlag, StateFilter } from "./model";

/** What runs on a batch, in words: the flags of the specification. */
const flagWords: Record<ProgressFlag, string> = {
  isStowing: "Stowing",
  isListing: "Listing",
  isExporting: "Exporting",
  isRemoving: "Removing",
  isUpdating: "Updating",
};

export function runningWords(batch: Batch): string[] {
  return (Object.keys(flagWords) as ProgressFlag[]).flatMap((flag) =>
    batch[flag] ? [flagWords[flag]] : [],
  );
}

export type Segment = { state: ItemState; label: string; lots: number; items: number };

/** The three states of a batch's items, in the order that items go through them. */
export function segmentsOf(stats: BatchStats): Segment[] {
  return [
    { state: "new", label: "New", lots: stats.new_lots, items: stats.new_items },
    { state: "stowed", label: "Stowed", lots: stats.stowed_lots, items: stats.stowed_items },
    { state: "listed", label: "Listed", lots: stats.listed_lots, items: stats.listed_items },
  ];
}

/** Value divided by cost, or null where that says nothing. */
export function returnOf(batch: Pick<Batch, "total_value" | "cost_total">): number | null {
  const [value, cost] = [Number(batch.total_value), Number(batch.cost_total)];
  return value === 0 || cost === 0 ? null : value / cost;
}

/** What an item is called in its present state, what works on it included. */
export function statusWords(item: BatchItem): string {
  if (item.is_stowed_pending) return "Stowing…";
  if (item.is_listed_pending) return "Listing…";
  return { new: "New", stowed: "Stowed", listed: "Listed" }[item.state];
}

export function whyNotStow(items: readonly Pick<BatchItem, "is_stowed">[]): string | null {
  return items.length > 0 && items.every((item) => item.is_stowed)
    ? "All of these are stowed already"
    : null;
}

export function whyNotMarkListed(items: readonly Pick<BatchItem, "state">[]): string | null {
  if (items.length === 0) return null;
  if (items.every((item) => item.state === "listed")) return "All of these are listed already";
  return items.every((item) => item.state === "new") ? "Stow them first" : null;
}

export const isState = (filter: StateFilter): filter is ItemState => filter !== "all";
