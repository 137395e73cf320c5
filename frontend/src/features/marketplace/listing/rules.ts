/** What the listing dialogs say. apps/batches/services/listing decides. */
import type { Job } from "@/features/jobs/public";
import { formatCount } from "@/shared/lib/format";
import type { UnlistedItem } from "./model";

export type ListingEnd = {
  listed: number;
  failed: UnlistedItem[];
  failedCount: number;
  /** Items of which the store has yet to say whether it has them. */
  unknownCount: number;
  /** The job that reads the store again for them. */
  settleJobId: string | null;
};

/** What a finished listing job came to, however it ended. */
export function endOf(job: Job): ListingEnd {
  const { result } = job;
  const settle = result.settle_job_id;
  // A job that stopped half-way has no result.
  const listed = Number(result.item_count ?? Math.max(0, job.done - job.failed_count));
  return {
    listed,
    failed: job.failed as UnlistedItem[], // what this kind carries
    failedCount: job.failed_count,
    unknownCount: Number(result.unknown_count ?? 0),
    settleJobId: typeof settle === "string" ? settle : null,
  };
}

/** "120 items listed", "118 listed, 2 refused", "Nothing listed: 2 refused". */
export function endWords({ listed, failedCount, unknownCount }: ListingEnd): string {
  const rest = [
    failedCount > 0 && `${formatCount(failedCount)} refused`,
    unknownCount > 0 && `${formatCount(unknownCount)} not known yet`,
  ].filter(Boolean);
  if (rest.length === 0) return `${formatCount(listed)} ${listed === 1 ? "item" : "items"} listed`;
  if (listed === 0) return `Nothing listed: ${rest.join(", ")}`;
  return [`${formatCount(listed)} listed`, ...rest].join(", ");
}

/** Ids that may be sent again: what the store has yet to answer for is not among them. */
export const retryable = (failed: readonly UnlistedItem[]): number[] =>
  failed.filter(({ outcome }) => outcome !== "unknown").map(({ id }) => id);
