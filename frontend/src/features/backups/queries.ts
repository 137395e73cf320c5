import { useMutation, useQueryClient } from "@tanstack/react-query";
import { followJob } from "@/features/jobs/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { Job } from "@/shared/api/jobKinds";
import { queryRows } from "@/shared/api/queries";
import type { Schema } from "@/shared/api/wire";
import { pathTo } from "@/shared/lib/paths";
import { invalidate } from "@/shared/lib/tags";
import { sendUpload } from "@/shared/outbox/theOutbox";
import type { RefusedRow } from "@/shared/ui/RefusedRows";

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

/** A zip of everything that a person keeps here. It is there once its job has succeeded. */
export type Backup = Schema<"BackupRow">;

export const isWriting = ({ state }: Backup): boolean => state === "queued" || state === "running";

/** What a restore could not take, each with the place in the backup and the reason. */
export const leftOutOf = ({ failed }: Job): RefusedRow[] =>
  failed.map(({ name, reason }) => ({ id: null, name: String(name), reason: String(reason) }));
