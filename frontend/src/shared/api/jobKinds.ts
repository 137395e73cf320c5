/**
 * What each kind of job is called and what its end means. Features describe their kinds in their
 * `jobs.ts`; the app collects them, since a job found after a reload is shown before the page that
 * started it is loaded.
 */
import { counted } from "@/shared/lib/format";
import type { Tag } from "@/shared/lib/tags";
import type { ServerAct } from "@/shared/outbox/history";
import type { Schema } from "./wire";

export type Job = Schema<"JobRow">;

/** The acts that a job was done in, oldest first, and the table that has them in its history. */
export type JobUndo = {
  table: string;
  acts: readonly ServerAct[];
  deletes?: boolean;
};

export type JobKind = {
  /** While it runs: "Writing the BSX file". */
  running: string;
  /** When it is done, with its figures. */
  done: (job: Job) => string;
  /** It ended well, but nothing came of it: shown without a tick, in the server's words. */
  isEmpty?: (job: Job) => boolean;
  /** What its end makes stale. */
  touches: readonly Tag[] | "everything";
  /** The link to its result. */
  link?: (job: Job) => { label: string; to: string } | null;
  /** What takes it back, where it has changed anything: also where it was stopped. */
  undo?: (job: Job) => JobUndo | null;
  /** A file to fetch at its end: an endpoint of the API. */
  file?: (job: Job) => string | null;
  /** Its progress is counted in bytes: shown as a share, and as busy while none are read. */
  countsBytes?: boolean;
  /** It may take days, and pages show how far it is: only its end is shown. */
  isLong?: boolean;
  /** Stopping is offered only where stopping leaves nothing half-done. */
  cancellable: boolean;
};

export type JobKinds = Record<string, JobKind>;

const known = new Map<string, JobKind>();

export function registerJobKinds(...all: readonly JobKinds[]): void {
  for (const kinds of all) for (const [name, kind] of Object.entries(kinds)) known.set(name, kind);
}

const unknownKind: JobKind = {
  running: "Working",
  done: () => "Done.",
  touches: [],
  cancellable: true,
};

export const kindOf = (job: Job): JobKind => known.get(job.kind) ?? unknownKind;

/** A number that the job's result carries under `name`, or null. */
export function resultNumber(job: Job, name: string): number | null {
  const value = job.result[name];
  return typeof value === "number" ? value : null;
}

/** The numbers that the job's result lists under `name`. */
export function resultNumbers(job: Job, name: string): number[] {
  const list = job.result[name];
  return Array.isArray(list) ? list.filter((one) => typeof one === "number") : [];
}

/** "Moved: 5 rows.", with the number that the result carries under `name`, if it does. */
export function doneText(words: string, job: Job, noun: string, name = "item_count"): string {
  const count = resultNumber(job, name);
  return count === null ? `${words}.` : `${words}: ${counted(count, noun)}.`;
}
