/** How long to wait before asking a job again. */
import { isFinished, type Job } from "./model";

const FIRST_MS = 400;
const LONGEST_MS = 5000;
const FACTOR = 1.6;

/**
 * Milliseconds until the next question after `unchanged` answers that told nothing new; short
 * again as soon as something moves. False: it has ended, never again.
 */
export function pollAfter(job: Job | undefined, unchanged: number): number | false {
  if (job && isFinished(job)) return false;
  return Math.min(LONGEST_MS, Math.round(FIRST_MS * FACTOR ** unchanged));
}

/** What has to differ for a job to have moved. */
export const progressOf = (job: Job): string =>
  [job.state, job.done, job.total, job.message, job.cancel_requested].join("|");
