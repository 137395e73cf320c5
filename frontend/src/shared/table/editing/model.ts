/** The types of table editing: changes, their results, and the functions that save. */
import type { Step } from "@/shared/outbox/history";
import type { WaitsFor } from "@/shared/outbox/outbox";
import type { NewRequest, Wire } from "@/shared/outbox/unsent";
import type { RowId } from "../column";

/** The acts of a person, with the specification's names. */
export type ActionType = "cell-edit" | "bulk-edit" | "row-delete" | "row-create";

/** The operations sent to the server, with the specification's names. */
export const SYNC_KINDS = [
  "sync",
  "update",
  "delete",
  "create",
  "bulk-update",
  "bulk-delete",
] as const;
export type SyncKind = (typeof SYNC_KINDS)[number];

export const isSyncKind = (text: string): text is SyncKind =>
  SYNC_KINDS.some((kind) => kind === text);

/** One cell's text before and after an edit: plain data that can be stored and replayed. */
export type CellChange = { row: RowId; column: string; before: string; after: string };

/** A change that is not possible, and the reason. */
export type BadCell = { row: RowId | null; column: string | null; text: string; reason: string };

/** The state of a cell's save. */
export type CellMark =
  | { state: "pending" }
  /** Being sent: 0 to 100. */
  | { state: "saving"; progress: number }
  | { state: "saved" }
  /** Not sent: there is no connection, or the person must sign in again. */
  | { state: "waiting"; text: string; waitsFor: WaitsFor }
  | { state: "error"; message: string; text: string }
  /** A conflict: the row holds the value stored elsewhere; this is the person's value. */
  | { state: "conflict"; mine: string };

/** Marks of one row by column. */
export type RowMarks = Readonly<Record<string, CellMark>>;

/** The mark of a whole row (being deleted, or the deletion failed). */
export const WHOLE_ROW = "*";
/** The texts of WHOLE_ROW as a cell: deleting a row is a change like another. */
export const THERE = "there";
export const GONE = "gone";

export type BulkRequest<Row> = {
  create?: readonly object[];
  update?: readonly { row: Row; changes: Partial<Row> }[];
  delete?: readonly Row[];
  /** Ids of deleted rows to restore. */
  restore?: readonly RowId[];
  atomic: boolean;
};

export type BulkOutcome<Row> = {
  action: "create" | "update" | "delete" | "restore";
  index: number;
  ok: boolean;
  id: number | string | null;
  code: string | null;
  message: string | null;
  row: Row | null;
};

/** What is sent of a change, and what its answer makes stale beside the row. */
export type Sent = Wire & Pick<NewRequest, "stale">;
export type SaveRow<Row> = (row: Row, changes: Partial<Row>) => Sent;
export type SaveRows<Row> = (request: BulkRequest<Row>) => Sent;

/** A step of a table's history. `atomic`: one refused row leaves all rows unchanged. */
export type GridStep = Step<CellChange> & { type: ActionType; atomic?: boolean };

/** Rows that appear, or that go. */
export const presence = (ids: readonly RowId[], before: string, after: string): CellChange[] =>
  ids.map((row) => ({ row, column: WHOLE_ROW, before, after }));
