/** One act of listing as the server sends it; `id` is its job's. */
import type { JobState } from "@/features/jobs/public";
import type { ListingAct } from "../listing/model";

export type ListingRun = {
  id: string;
  act: ListingAct;
  /** Null: rows of stock. */
  batch_id: number | null;
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
  /** Lots that went into a stockroom or came out of it. */
  moved: number | null;
  unknown_count: number | null;
  calls: number | null;
  failed_count: number;
  createdAt: string;
  finishedAt: string | null;
};
