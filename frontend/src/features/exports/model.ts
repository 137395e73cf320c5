import type { JobState } from "@/features/jobs/public";

export type ExportStates = "all" | "new" | "stowed" | "listed";
export type ExportKind = "bsx" | "mass_upload" | "mass_update" | "wanted_list" | "csv";

/** What of the scope goes into the file, and how; the server ignores what is not of its kind. */
export type ExportOptions = {
  state: ExportStates;
  include_zero_quantity: boolean;
  /** Lots that the catalogue does not know. */
  include_incomplete: boolean;
  /** Lots that the catalogue does not know, in files that BrickLink looks up by number. */
  include_unknown: boolean;
  /** Of a mass upload: lots that BrickLink has already, once more. */
  include_listed: boolean;
  /** Remarks name the bin, in front of what they say. */
  carry_location: boolean;
  /** BSX for BrickSync and BrickStock: with a DOCTYPE and without a currency. */
  compatible: boolean;
  /** Such as "{location} {remarks}"; "" goes by carry_location. */
  remarks_template: string;
  /** Of a CSV file, in this order; none is all. */
  columns: string[];
  /** What a mass update sends as it is; none is what differs from what BrickLink last received. */
  update_fields: string[];
  /** The number of a BrickLink wanted list; "" is the default list. */
  wanted_list_id: string;
};

export type FailedExportItem = { id: number | null; reason: string; name: string };
export type ExportNotice = { id: number | null; field: string; message: string };

/** One file that was asked for. It is there once its job has succeeded. */
export type Export = {
  id: number;
  kind: ExportKind;
  scope: "batch" | "inventory";
  batch_id: number | null;
  job_id: string;
  state: JobState;
  message: string;
  failed: FailedExportItem[];
  failed_count: number;
  notices: ExportNotice[];
  row_count: number;
  /** Lots that a mass upload left out, for BrickLink has them. */
  listed_count: number;
  file_name: string;
  file_url: string | null;
  createdAt: string;
  /** When the upload of a mass update was confirmed. */
  uploadedAt: string | null;
};

/** What a file would hold; `sample` is the file had it the first five lots only. */
export type ExportPreview = {
  row_count: number;
  failed: FailedExportItem[];
  failed_count: number;
  listed_count: number;
  /** The first of what is written in another form than it is kept. */
  notices: ExportNotice[];
  notice_count: number;
  file_name: string;
  sample: string;
};

export type ExportScope = { scope: "batch" | "inventory"; batch_id?: number };

export type ExportRequest = ExportScope & {
  kind: ExportKind;
  options: ExportOptions & { item_ids?: number[] };
};
