import type { Schema } from "@/shared/api/wire";

/** A zip of everything that a person keeps here. It is there once its job has succeeded. */
export type Backup = Schema<"BackupRow">;

export const isWriting = ({ state }: Backup): boolean => state === "queued" || state === "running";
