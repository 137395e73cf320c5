import type { Schema } from "@/shared/api/wire";

/** Long operations as the server sends them. */
export type JobState = Schema<"JobState">;

export type Job = Schema<"JobRow">;

export function isFinished(job: Job): boolean {
  return job.state === "succeeded" || job.state === "failed" || job.state === "cancelled";
}

/** Ids of the jobs that this one's end has started: the listing of what was stowed, a second look. */
export function startedBy({ result }: Job): string[] {
  const ids = [result.listing_job_id, result.settle_job_id];
  return ids.filter((id): id is string => typeof id === "string");
}

/** A number that the job's result carries under `name`, or null. */
export function resultNumber(job: Job, name: string): number | null {
  const value = job.result[name];
  return typeof value === "number" ? value : null;
}
