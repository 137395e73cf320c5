/** Acts that the server keeps and can undo. */
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { ApiError } from "@/shared/api/errors";
import { isJob } from "@/shared/api/startedJobs";
import type { ServerAct } from "./history";

/**
 * Undoes acts, the last one first, and passes over those that were undone elsewhere. Resolves with
 * what to say where a job does it, or where nothing was left to undo.
 */
export async function undoServerActs(acts: readonly ServerAct[]): Promise<string | undefined> {
  let told: string | undefined;
  let before: ApiError | null = null;
  let undone = 0;
  for (const act of acts.toReversed()) {
    try {
      told = (await undoServerAct(act)) ?? told;
      undone += 1;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "ALREADY_UNDONE")) throw error;
      before = error;
    }
  }
  return undone > 0 ? told : before?.message;
}

async function undoServerAct({ id, batch }: ServerAct): Promise<string | undefined> {
  if (batch === undefined) return undoStockAct(id);
  await api.post("batches/{id}/undo", { path: { id: batch }, body: { act_id: id } });
}

/** Takes an act on stock back. Resolves with what to say where a job does it. */
export async function undoStockAct(id: number): Promise<string | undefined> {
  const answer = one(await api.post("inventoryActs/{id}/undo", { path: { id } }));
  return isJob(answer) ? "Taking it back…" : undefined;
}
