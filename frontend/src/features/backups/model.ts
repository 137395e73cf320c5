import type { Job } from "@/shared/api/jobKinds";
import type { Schema } from "@/shared/api/wire";
import type { RefusedRow } from "@/shared/ui/RefusedRows";

/** A zip of everything that a person keeps here. It is there once its job has succeeded. */
export type Backup = Schema<"BackupRow">;

export const isWriting = ({ state }: Backup): boolean => state === "queued" || state === "running";

/** What a restore could not take, each with the place in the backup and the reason. */
export const leftOutOf = ({ failed }: Job): RefusedRow[] =>
  failed.map(({ name, reason }) => ({ id: null, name: String(name), reason: String(reason) }));
