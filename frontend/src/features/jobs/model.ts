import { type Job, kindOf } from "@/shared/api/jobKinds";

export type { Job };

export function isFinished(job: Job): boolean {
  return job.state === "succeeded" || job.state === "failed" || job.state === "cancelled";
}

/** Ids of the jobs that this one's end has started: the listing of what was stowed, a second look. */
export function startedBy({ result }: Job): string[] {
  const ids = [result.listing_job_id, result.settle_job_id];
  return ids.filter((id): id is string => typeof id === "string");
}

/** How far a job is, as its bar shows it. */
export function barOf(job: Job): { done: number; total: number | null; asPercent: boolean } {
  const { countsBytes = false } = kindOf(job);
  const { done } = job;
  return { done, total: countsBytes && done === 0 ? null : job.total, asPercent: countsBytes };
}
