import type { Schema } from "@/shared/api/wire";

export type ExportKind = Schema<"ExportKind">;

/** What of the scope goes into the file, and how; the server ignores what is not of its kind. */
export type ExportOptions = Required<Omit<Schema<"OptionsWriteRequest">, "item_ids">>;

export type FailedExportItem = Schema<"FailedExportItem">;
export type ExportNotice = Schema<"ExportNotice">;

/** One file that was asked for. It is there once its job has succeeded. */
export type Export = Schema<"ExportRow">;

/** What a file would hold; `sample` is the file had it the first five lots only. */
export type ExportPreview = Schema<"ExportPreview">;

export type ExportScope = Pick<Schema<"ExportWriteRequest">, "scope"> & { batch_id?: number };

export type ExportRequest = ExportScope & {
  kind: ExportKind;
  options: Schema<"OptionsWriteRequest">;
};
