import { api } from "./client";
import { one } from "./envelope";
import { isJob } from "./startedJobs";

/** Takes an act on stock back. Resolves with what to say where a job does it. */
export async function undoStockAct(id: number): Promise<string | undefined> {
  const answer = one(await api.post("inventoryActs/{id}/undo", { path: { id } }));
  return isJob(answer) ? "Taking it back…" : undefined;
}
