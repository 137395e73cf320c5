import { useMutation, useQueryClient } from "@tanstack/react-query";
import { followJob } from "@/features/jobs/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { queryRows } from "@/shared/api/queries";
import { pathTo } from "@/shared/lib/paths";
import { invalidate } from "@/shared/lib/tags";
import { sendUpload } from "@/shared/outbox/theOutbox";

const SHOWN = 5;

export const backupQueries = {
  latest: () => queryRows(["backups", "latest"], "backups", { query: { page_size: SHOWN } }),
};

export function useMakeBackup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => one(await api.post("backups")),
    onSuccess: (backup) => followJob(backup.job_id),
    onSettled: () => invalidate(client, "backups"),
  });
}

export function useDeleteBackup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete("backups/{id}", { path: { id } }),
    onSettled: () => invalidate(client, "backups"),
  });
}

/** Sends the zip; the account must hold nothing yet. Its job is followed. Null: it is sent later. */
export function useRestoreBackup() {
  return useMutation({
    mutationFn: (file: File) =>
      sendUpload(
        "backups/restore",
        { file },
        { page: pathTo("settings", { restore: "" }), timeoutMs: 600_000 },
      ),
  });
}
