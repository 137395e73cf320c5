/** One act of listing as the wire tells it; `id` is its job's. */
import type { JobState } from "@/features/jobs/public";

export type ListingRun = {
  id: string;
  batch_id: number;
  /** Null: the batch was deleted. */
  batch_name: string | null;
  state: JobState;
  done: number;
  total: number | null;
  message: string;
  /** The figures are null until its end. */
  item_count: number | null;
  created: number | null;
  topped_up: number | null;
  unknown_count: number | null;
  calls: number | null;
  failed_count: number;
  createdAt: string;
  finishedAt: string | null;
};
