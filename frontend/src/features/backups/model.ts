import type { JobState } from "@/features/jobs/public";

/** A zip of everything that a person keeps here. It is there once its job has succeeded. */
export type Backup = {
  id: number;
  job_id: string;
  state: JobState;
  message: string;
  /** Bytes. */
  size: number;
  file_name: string;
  file_url: string | null;
  createdAt: string;
};

export const isWriting = ({ state }: Backup): boolean => state === "queued" || state === "running";
