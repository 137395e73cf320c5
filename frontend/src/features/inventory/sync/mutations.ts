import { type MutationMeta, useMutation, useQueryClient } from "@tanstack/react-query";
import { followJob } from "@/features/jobs/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { ApiError, conflictRows, isRefusedFile } from "@/shared/api/errors";
import { paths, pathTo } from "@/shared/lib/paths";
import { rowsWith } from "@/shared/lib/records";
import { invalidate, STOCK } from "@/shared/lib/tags";
import { sendUpload } from "@/shared/outbox/theOutbox";
import type { InventorySync, SyncOptions } from "./model";
import { syncQueries } from "./queries";

/** An answer with the present state of the sync; its job is followed from here. */
function useTakeSync() {
  const client = useQueryClient();
  return (sync: InventorySync) => {
    client.setQueryData(syncQueries.detail(sync.id).queryKey, sync);
    void invalidate(
      client,
      syncQueries.history().queryKey,
      ["inventory", "syncs", "undecided"],
      ["inventory", "syncs", "rows", sync.id],
      ["inventory", "syncs", "binGroups", sync.id],
    );
    if (sync.job_id && isRunning(sync)) followJob(sync.job_id);
  };
}

export const isRunning = ({ state }: Pick<InventorySync, "state">): boolean =>
  state === "previewing" || state === "applying" || state === "undoing";

/** Uploads a file; its preview begins. Refused while another import runs. Null: it is sent later. */
export function useStartSync(onUploadProgress: (sent: number, total: number) => void) {
  const take = useTakeSync();
  return useMutation({
    mutationFn: (file: File) =>
      sendUpload(
        "inventoryItems/sync",
        { file },
        { page: pathTo("inventory", { import: "" }), timeoutMs: 300_000, onUploadProgress },
      ),
    onSuccess: (sync) => sync && take(sync),
  });
}

/** Where files come in that the inventory refuses, by the reason of the refusal. */
const ELSEWHERE: Record<string, { to: string; label: string }> = {
  orders: { to: paths.orders, label: "Import its orders" },
  backup: { to: pathTo("settings", {}, "backup"), label: "Restore it" },
};

/** The page that takes a refused file, and what it does with it; null if there is none. */
export function pageOfRefused(error: unknown): { to: string; label: string } | null {
  if (!isRefusedFile(error)) return null;
  const [row] = rowsWith<{ refused_as: string }>(error.data, "refused_as");
  return ELSEWHERE[row?.refused_as ?? ""] ?? null;
}

/** The id of the import that runs already, where a refusal names it. */
export function runningSyncOf(error: unknown): number | null {
  return conflictRows<{ sync_id: number | null }>(error, "sync_id")[0]?.sync_id ?? null;
}

/** Previews again, with other options or over stock that changed meanwhile. */
export function usePreviewAgain(id: number) {
  const take = useTakeSync();
  return useMutation({
    meta: { tellsFailure: true },
    mutationFn: async (options: Partial<SyncOptions>) =>
      one(await api.post("inventorySyncs/{id}/preview", { path: { id }, body: options })),
    onSuccess: take,
  });
}

/** Applies a previewed import, or continues a stopped one. */
export function useApplySync(id: number, meta?: MutationMeta) {
  const take = useTakeSync();
  const client = useQueryClient();
  return useMutation({
    meta,
    mutationFn: async (confirmZeroed: number | null) =>
      one(
        await api.post("inventorySyncs/{id}/apply", {
          path: { id },
          body: {
            ...(confirmZeroed !== null && { confirm_zeroed: confirmZeroed }),
          },
        }),
      ),
    onSuccess: take,
    // Another tab may have applied it: then its result is shown, and the stock is another.
    onError: (error) =>
      error instanceof ApiError && error.status === 409
        ? void invalidate(client, ...STOCK)
        : void invalidate(client, syncQueries.detail(id).queryKey),
  });
}

/** Undoes an import where none of its rows changed since; its job is followed. */
export async function undoImport(id: number): Promise<void> {
  const sync = one(await api.post("inventorySyncs/{id}/undo", { path: { id }, body: {} }));
  if (sync.job_id) followJob(sync.job_id);
}

export type Choice = "mine" | "theirs";

/** Puts the stock back as it was. Refused while rows changed since are not decided. */
export function useUndoSync(id: number, meta?: MutationMeta) {
  const take = useTakeSync();
  return useMutation({
    meta,
    mutationFn: async (decided: { otherwise?: Choice; rows?: Record<string, Choice> }) =>
      one(
        await api.post("inventorySyncs/{id}/undo", {
          path: { id },
          body: {
            ...(decided.otherwise && { rows_changed_since: decided.otherwise }),
            ...(decided.rows && { rows: decided.rows }),
          },
        }),
      ),
    onSuccess: take,
  });
}
