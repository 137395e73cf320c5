/** Jobs that answers have started: JobToasts watches them, whoever sent the request. */
import { isRecord } from "@/shared/lib/records";
import type { Answer } from "./envelope";
import { ApiError, DEFAULT_CODE, DEFAULT_MESSAGE } from "./errors";
import type { Job } from "./jobKinds";

type Listener = (job: Job) => void;

const listeners = new Set<Listener>();

/** Calls back for each job that an answer (202) is. Returns a function that stops it. */
export function onJobStarted(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a row is a job, where the server does many rows in one. */
export const isJob = <Row>(row: Row | Job): row is Job =>
  isRecord(row) && "kind" in row && "cancel_requested" in row;

/** The answer of a dry run, which is never a job. */
export function notJob<Row>(row: Row | Job): Row {
  if (isJob(row)) throw new ApiError(DEFAULT_CODE, DEFAULT_MESSAGE);
  return row;
}

export function noteStarted({ status, data }: Answer<unknown>): void {
  if (status !== 202) return;
  for (const row of data) if (isJob(row)) for (const listener of listeners) listener(row);
}
