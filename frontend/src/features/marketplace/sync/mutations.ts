import { type MutationMeta, useMutation, useQueryClient } from "@tanstack/react-query";
import { followJob } from "@/features/jobs/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { ApiError, conflictRows } from "@/shared/api/errors";
import { invalidate, STOCK } from "@/shared/lib/tags";
import { marketplaceQueries } from "../queries";
import type { StoreSync } from "./model";
import { storeSyncQueries } from "./queries";
import { isRunning } from "./rules";

/** The present state of the sync; its job is followed from here. */
function useTakeSync() {
  const client = useQueryClient();
  return (sync: StoreSync) => {
    client.setQueryData(storeSyncQueries.detail(sync.id).queryKey, sync);
    const rows = ["marketplace", "syncs", "rows", sync.id] as const;
    void invalidate(client, rows, marketplaceQueries.connection().queryKey);
    if (sync.job_id && isRunning(sync)) followJob(sync.job_id);
  };
}

/** The id of the sync that is at work already, where a refusal names it. */
export function runningSyncOf(error: unknown): number | null {
  return conflictRows<{ id: number }>(error, "id")[0]?.id ?? null;
}

/** Starts comparing the stock, or what one batch stowed, with the store. Nothing changes yet. */
export function useStartStoreSync(meta?: MutationMeta) {
  const take = useTakeSync();
  return useMutation({
    meta,
    // A batch's log of operations shows the ones that failed.
    mutationKey: ["storeSync"],
    gcTime: 60 * 60_000,
    mutationFn: async (batchId: number | null) =>
      one(
        await api.post("marketplace/syncs", {
          body: batchId === null ? {} : { batch_id: batchId },
        }),
      ),
    onSuccess: take,
  });
}

/** The rows that are done: all but those left out, or only these. */
type Chosen = { leaveOut?: number[]; only?: number[] };

/** Does what was planned of the rows that are chosen. */
export function useApplyStoreSync(id: number) {
  const take = useTakeSync();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ typed, ...rows }: { typed: number | null } & Chosen) =>
      one(
        await api.post("marketplace/syncs/{id}/apply", {
          path: { id },
          body: {
            ...(typed !== null && { confirm_removals: typed }),
            ...(rows.only && { only: rows.only }),
            ...(rows.leaveOut?.length && { leave_out: rows.leaveOut }),
          },
        }),
      ),
    onSuccess: take,
    // Another tab may have applied it: then the stock is another, too.
    onError: (error) => {
      if (error instanceof ApiError && error.status === 409) {
        void invalidate(client, ["marketplace", "syncs"], ...STOCK);
      }
    },
  });
}
