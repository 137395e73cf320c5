import type { JobState } from "@/features/jobs/public";

export type ExportStates = "all" | "new" | "stowed" | "listed";

/** Which lots go into the file, and for which program it is. */
export type ExportOptions = {
  state: ExportStates;
  include_zero_quantity: boolean;
  /** For BrickSync and BrickStock: with a DOCTYPE and without a currency. */
  compatible: boolean;
};

export type FailedExportItem = { id: number; reason: string; name: string };
export type ExportNotice = { id: number; field: string; message: string };

/** One file that was asked for. It is there once its job has succeeded. */
export type Export = {
  id: number;
  scope: "batch" | "inventory";
  batch_id: number | null;
  job_id: string;
  state: JobState;
  message: string;
  failed: FailedExportItem[];
  failed_count: number;
  notices: ExportNotice[];
  row_count: number;
  file_name: string;
  file_url: string | null;
  createdAt: string;
};

export type ExportRequest = {
  scope: "batch" | "inventory";
  batch_id?: number;
  options: ExportOptions & { item_ids?: number[] };
};
