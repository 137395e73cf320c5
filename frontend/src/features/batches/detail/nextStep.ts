import type { Batch } from "../model";

/** What a batch waits for. `export`: its lots go to the shop by a file, since no store is connected. */
export type NextStep = "add" | "stow" | "price" | "list" | "export" | "close" | null;

/** `hasStore`: null until it is known. An archived batch waits for nothing. */
export function nextStepOf(
  batch: Pick<Batch, "is_archived" | "stats">,
  hasStore: boolean | null,
): NextStep {
  const { total_lots, new_lots, stowed_lots, lots_without_price } = batch.stats;
  if (batch.is_archived) return null;
  if (total_lots === 0) return "add";
  if (new_lots > 0) return "stow";
  if (stowed_lots === 0) return "close";
  if (hasStore === null) return null;
  if (!hasStore) return "export";
  // The marketplace refuses a lot without a price.
  return lots_without_price >= stowed_lots ? "price" : "list";
}
