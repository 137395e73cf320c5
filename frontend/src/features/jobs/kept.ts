/**
 * What this tab watched before a reload, in its session storage: jobs whose end is still to be
 * shown, those whose file it waits for, and when an upload began whose answer has not come.
 */
import { onPersonForgotten } from "@/shared/lib/person";
import { isSessionOver } from "@/shared/lib/problem";
import type { Job } from "./model";
import { isRefused } from "./queries";

const NAME = "brickstow_jobs";
/** Clocks of browser and server may differ by this. */
const SKEW_MS = 120_000;

type Kept = { ids: string[]; downloads: string[]; shown: string[]; uploadSince: number | null };

const none: Kept = { ids: [], downloads: [], shown: [], uploadSince: null };

function read(): Kept {
  try {
    const kept: Partial<Kept> = JSON.parse(sessionStorage.getItem(NAME) ?? "{}");
    return { ...none, ...kept };
  } catch {
    return none;
  }
}

function change(changes: (kept: Kept) => Partial<Kept>): void {
  const kept = read();
  sessionStorage.setItem(NAME, JSON.stringify({ ...kept, ...changes(kept) }));
}

const without = (ids: readonly string[], id: string) => ids.filter((one) => one !== id);

export function keptJobs(): readonly string[] {
  const { ids, downloads } = read();
  return [...new Set([...ids, ...downloads])];
}

export const keepJob = (id: string): void =>
  change(({ ids }) => ({ ids: [...without(ids, id), id] }));

/** The job's end was shown, or this person may not see the job. A file of it may still come. */
export const dropJob = (id: string): void =>
  change(({ ids, shown }) => ({
    ids: without(ids, id),
    shown: [...without(shown, id), id].slice(-20),
  }));

/** The file of this job is to be saved when it is there, also by the page after a reload. */
export const awaitFile = (id: string): void =>
  change(({ downloads }) => ({ downloads: [...without(downloads, id), id] }));

export const forgetFile = (id: string): void =>
  change(({ downloads }) => ({ downloads: without(downloads, id) }));

/** Jobs whose file is on its way. */
const saving = new Set<string>();

/**
 * Saves the file of a job with `save` if it is still awaited: once, whoever calls. It stays awaited
 * until it has come whole or is refused, so that the page after a reload saves it.
 */
export async function saveAwaited(id: string, save: () => Promise<unknown>): Promise<void> {
  if (saving.has(id) || !read().downloads.includes(id)) return;
  saving.add(id);
  try {
    await save();
    forgetFile(id);
  } catch (error) {
    if (isRefused(error) && !isSessionOver(error)) forgetFile(id);
    throw error;
  } finally {
    saving.delete(id);
  }
}

export const noteUpload = (since: number | null): void => change(() => ({ uploadSince: since }));

/** Whether a job may come from an upload whose answer the reload swallowed. */
export function isOfLostUpload(job: Pick<Job, "id" | "createdAt">): boolean {
  const { uploadSince, shown } = read();
  return (
    uploadSince !== null &&
    !shown.includes(job.id) &&
    Date.parse(job.createdAt) >= uploadSince - SKEW_MS
  );
}

export const isUploadLost = (): boolean => read().uploadSince !== null;

onPersonForgotten(() => sessionStorage.removeItem(NAME));
