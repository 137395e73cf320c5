/** Acts that the server keeps and can undo. */
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { isJob } from "@/shared/api/startedJobs";

/** An act on stock, or on the items of a batch. */
export type ServerAct = { id: number; batch?: number };

/** Undoes acts, the last one first. Resolves with what to say where a job does it. */
export async function undoServerActs(acts: readonly ServerAct[]): Promise<string | undefined> {
  let told: string | undefined;
  for (const { id, batch } of acts.toReversed()) {
    if (batch === undefined) told = await undoStockAct(id);
    else await api.post("batches/{id}/undo", { path: { id: batch }, body: { act_id: id } });
  }
  return told;
}

/** Takes an act on stock back. Resolves with what to say where a job does it. */
export async function undoStockAct(id: number): Promise<string | undefined> {
  const answer = one(await api.post("inventoryActs/{id}/undo", { path: { id } }));
  return isJob(answer) ? "Taking it back…" : undefined;
}
