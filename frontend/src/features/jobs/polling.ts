/** How long to wait before asking a job again. */
import { isFinished, type Job } from "./model";

const FIRST_MS = 400;
export const LONGEST_MS = 5000;
const FACTOR = 1.6;

/**
 * Milliseconds until the next question after `unchanged` answers without news; short
 * again as soon as something moves. False: it has ended, never again.
 */
export function pollAfter(job: Job | undefined, unchanged: number): number | false {
  if (job && isFinished(job)) return false;
  return Math.min(LONGEST_MS, Math.round(FIRST_MS * FACTOR ** unchanged));
}

/** How many answers in a row were the same, by job: a job polled twice is still one job. */
const still = new Map<string, { progress: string; count: number }>();

/** Notes whether `job` has moved since it was last answered. */
export function countStill(job: Job): Job {
  const progress = progressOf(job);
  const before = still.get(job.id);
  still.set(job.id, { progress, count: before?.progress === progress ? before.count + 1 : 0 });
  return job;
}

export const stillFor = (id: string): number => still.get(id)?.count ?? 0;

export const forgetProgress = (): void => still.clear();

/** What has to differ for a job to have moved. */
const progressOf = (job: Job): string =>
  [job.state, job.done, job.total, job.message, job.cancel_requested].join("|");
