/** Jobs that answers have started: JobToasts watches them, whoever sent the request. */
import type { Answer } from "./envelope";
import type { Job } from "./jobKinds";

type Listener = (job: Job) => void;

const listeners = new Set<Listener>();

/** Calls back for each job that an answer (202) is. Returns a function that stops it. */
export function onJobStarted(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a row is a job, where the server does many rows in one. */
export const isJob = (row: unknown): row is Job =>
  typeof row === "object" && row !== null && "kind" in row && "cancel_requested" in row;

export function noteStarted({ status, data }: Answer<unknown>): void {
  if (status !== 202) return;
  for (const row of data) if (isJob(row)) for (const listener of listeners) listener(row);
}
