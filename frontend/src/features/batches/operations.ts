/** Operations on many items of a batch: which items are meant, and how the answer reads. */

import type { Job } from "@/features/jobs/public";
import { api } from "@/shared/api/client";
import { ApiError } from "@/shared/api/errors";
import type { Schema } from "@/shared/api/wire";
import { counted, formatCount } from "@/shared/lib/format";
import { rowsWith } from "@/shared/lib/records";
import type { Selection } from "@/shared/table/SelectionBar";
import type { BatchItem, FailedItem, OperationKind, StateFilter } from "./model";
import { itemParams } from "./queries";

/** Ids of items, or every item of the batch. */
export type ItemChoice = number[] | "all";

/** How an operation ended, or the job that carries it out. */
export type OperationResult = Schema<"OperatedRow">;

const isResult = (row: unknown): row is OperationResult =>
  typeof row === "object" && row !== null && "items" in row && "failed" in row;

/** What was refused where nothing was done, or null for another error. */
export function readRefusal(error: unknown): OperationResult | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  return error.data.find(isResult) ?? null;
}

const kindOfJob: Record<string, "stow" | "remove" | "markListed"> = {
  "batches.stow_items": "stow",
  "batches.remove_items": "remove",
  "batches.mark_listed": "markListed",
};

/** What the job of an operation has come to, or null for another job. */
export function operationEnd(job: Job) {
  const kind = kindOfJob[job.kind];
  if (!kind) return null;
  const { item_count: done } = job.result;
  return {
    kind,
    done: typeof done === "number" ? done : 0,
    refused: rowsWith<FailedItem>(job.failed, "id", "reason"),
    count: job.failed_count,
  };
}

/** Whether a person may pass what refuses this item: a location marked full never is. */
export const canOverride = (item: FailedItem): boolean =>
  item.limits !== undefined && item.limits.length > 0 && item.limits.every((l) => l.can_override);

const verbs: Record<OperationKind, { done: string; name: string }> = {
  stow: { done: "stowed", name: "Stow" },
  remove: { done: "removed", name: "Remove" },
  markListed: { done: "marked as listed", name: "Mark as listed" },
  list: { done: "listed", name: "List" },
  sync: { done: "synced", name: "Sync" },
  edit: { done: "changed", name: "Change" },
  reprice: { done: "re-priced", name: "Re-price" },
  spreadCost: { done: "given a cost", name: "Spread cost" },
  recommend: { done: "given a bin", name: "Recommend bins" },
  consolidate: { done: "consolidated", name: "Consolidate" },
  split: { done: "split off", name: "Split by bin" },
  move: { done: "moved", name: "Move to another batch" },
  copy: { done: "copied", name: "Copy to another batch" },
  merge: { done: "merged", name: "Merge into another batch" },
};

export const operationName = (kind: OperationKind): string => verbs[kind].name;

/** "182 lots stowed", or where some were refused "182 ok, 3 failed". */
export function countWords(kind: OperationKind, done: number, failed: number): string {
  if (failed > 0) return `${formatCount(done)} ok, ${formatCount(failed)} failed`;
  return `${counted(done, "lot")} ${verbs[kind].done}`;
}

/** The one line that an operation ends in: "182 lots stowed", "Stow: 182 ok, 3 failed". */
export function resultWords(kind: OperationKind, done: number, failed: number): string {
  const words = countWords(kind, done, failed);
  return failed > 0 ? `${verbs[kind].name}: ${words}` : words;
}

/** "3 items no longer marked as listed". */
export const unmarkedWords = (done: number): string =>
  `${counted(done, "lot")} no longer marked as listed`;

/** The note about stowed items of unknown weight, or undefined. */
export function weightWords(result: Pick<OperationResult, "weight_unknown">): string | undefined {
  const count = result.weight_unknown.length;
  if (count === 0) return undefined;
  return `The weight of ${counted(count, "lot")} is not known and counted as 0 g.`;
}

/** Ids fetched at a time, and the most that a request may name. */
const PAGE = 500;
const MOST_NAMED = 10_000;

/**
 * The ids that a selection means: those chosen one by one, or of everything that matches the
 * search and the filters. Throws for more than a request may name.
 */
export async function idsOf(
  selection: Pick<Selection<BatchItem>, "ids" | "allMatching" | "count" | "params">,
  batchId: number,
  state: StateFilter,
): Promise<number[]> {
  if (!selection.allMatching) return selection.ids.map(Number);
  if (selection.count > MOST_NAMED) {
    throw new Error(
      `At most ${formatCount(MOST_NAMED)} items at once: choose fewer by a search or a filter.`,
    );
  }
  const { page: _page, page_size: _size, ...narrowing } = selection.params;
  const pages = Math.ceil(selection.count / PAGE);
  const ids: number[] = [];
  for (let page = 1; page <= pages; page += 1) {
    const answer = await api.get("batchItems", {
      query: { ...itemParams(batchId, state), page, page_size: PAGE, ordering: "id" },
      filters: narrowing,
    });
    ids.push(...answer.data.map((item) => item.id));
  }
  return ids;
}
