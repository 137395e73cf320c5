import type { Schema } from "@/shared/api/wire";

/** Imports of files into the stock or a batch ("syncs") as the wire spells them. */
export type SyncState = Schema<"SyncRowStateEnum">;

export type SyncCounts = Omit<
  Required<Schema<"SyncFigures">>,
  "can_repair" | "listed_lots" | "listed_lots_there"
>;
export type SyncOptions = Schema<"SyncOptionsRow">;
/** Names in Remarks of one pattern, and why they may be no bins. */
export type BinGroup = Schema<"BinGroupRow">;
export type SyncWarning = Schema<"SyncWarning">;
export type InventorySync = Schema<"SyncRow">;

export const ROW_KINDS = ["changed", "zeroed", "unknown", "unreadable", "warnings"] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** One lot of the file, or one row that the file lacks, with its result. */
export type SyncRow = Schema<"SyncLotRow">;

/** A value of a lot that was read in another form than it was written. */
export type WarningRow = Schema<"SyncWarningRow">;

/** A lot that could not be imported. */
export type FailedSyncItem = { error: string; context: string };

/** A row that was changed after the import wrote it. */
export type ChangedSince = Schema<"ChangedSinceRow">;
