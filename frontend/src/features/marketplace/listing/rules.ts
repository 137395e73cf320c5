/** What the listing dialogs say. apps/listings/services/listing decides. */

import type { Job } from "@/features/jobs/public";
import { formatCount } from "@/shared/lib/format";
import { rowsWith } from "@/shared/lib/records";
import type { ListingAct, UnlistedItem } from "./model";

export type ListingEnd = {
  act: ListingAct;
  done: number;
  failed: UnlistedItem[];
  failedCount: number;
  /** Those of which the store has yet to say whether it has done them. */
  unknownCount: number;
  /** The job that reads the store again for them. */
  settleJobId: string | null;
};

const acts: Record<string, ListingAct> = {
  "batches.list_stock": "stock",
  "batches.unlist_stock": "unlist",
};

const words: Record<ListingAct, { one: string; many: string; done: string }> = {
  items: { one: "lot", many: "lots", done: "listed" },
  stock: { one: "row", many: "rows", done: "listed" },
  unlist: { one: "row", many: "rows", done: "taken off sale" },
};

/** What a job of this kind is about; that of a second look says it in its result. */
export const actOf = (job: Pick<Job, "kind" | "result">): ListingAct =>
  acts[job.kind] ??
  (job.kind === "batches.settle_stock_listings"
    ? job.result.unlists === true
      ? "unlist"
      : "stock"
    : "items");

/** What a finished listing job came to, however it ended. */
export function endOf(job: Job): ListingEnd {
  const { result } = job;
  const settle = result.settle_job_id;
  // A job that stopped half-way has no result.
  const done = Number(result.item_count ?? Math.max(0, job.done - job.failed_count));
  return {
    act: actOf(job),
    done,
    failed: rowsWith<UnlistedItem>(job.failed, "id", "reason"),
    failedCount: job.failed_count,
    unknownCount: Number(result.unknown_count ?? 0),
    settleJobId: typeof settle === "string" ? settle : null,
  };
}

/** "120 lots listed", "118 listed, 2 refused", "Nothing taken off sale: 2 refused". */
export function endWords({ act, done, failedCount, unknownCount }: ListingEnd): string {
  const said = words[act];
  const rest = [
    failedCount > 0 && `${formatCount(failedCount)} refused`,
    unknownCount > 0 && `${formatCount(unknownCount)} not known yet`,
  ].filter(Boolean);
  if (rest.length === 0) return `${counted(act, done)} ${said.done}`;
  if (done === 0) return `Nothing ${said.done}: ${rest.join(", ")}`;
  return [`${formatCount(done)} ${said.done}`, ...rest].join(", ");
}

/** "3 lots", "1 row". */
export const counted = (act: ListingAct, count: number): string =>
  `${formatCount(count)} ${count === 1 ? words[act].one : words[act].many}`;

/** Ids that may be sent again: what the store has yet to answer for is not among them. */
export const retryable = (failed: readonly UnlistedItem[]): number[] =>
  failed.filter(({ outcome }) => outcome !== "unknown").map(({ id }) => id);

export const failedAsText = (failed: readonly UnlistedItem[]): string =>
  failed.map(({ id, name, reason }) => [id, name, reason].join("\t")).join("\n");
