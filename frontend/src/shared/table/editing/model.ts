/** The words of table editing: what was changed, what became of it, what a table is given to save. */
import type { RowId } from "../column";

/** What a person did; the names of the specification. */
export type ActionType = "cell-edit" | "bulk-edit" | "row-delete" | "row-create";

/** What is brought to the server; the names of the specification. */
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
  (SYNC_KINDS as readonly string[]).includes(text);

/** One cell's text before and after, as editing shows it: plain data that can be kept and replayed. */
export type CellChange = { row: RowId; column: string; before: string; after: string };

/** A change that cannot be made, and why. */
export type BadCell = { row: RowId | null; column: string | null; text: string; reason: string };

/** What a cell shows of its saving. */
export type CellMark =
  | { state: "pending" }
  /** On its way: 0 to 100. */
  | { state: "saving"; progress: number }
  | { state: "saved" }
  /** Not sent: without a connection, or until the person has signed in again. */
  | { state: "waiting"; text: string; waitsFor: "line" | "signIn" }
  | { state: "error"; message: string; text: string }
  /** Stored differently meanwhile by somebody else: theirs is what the row says, this was meant. */
  | { state: "conflict"; mine: string };

/** Marks of one row by column. */
export type RowMarks = Readonly<Record<string, CellMark>>;

/** The mark of a whole row (it is being deleted or that failed). */
export const WHOLE_ROW = "*";

/** One call: sent again with the same key it is carried out once. */
export type Call = { key: string };

export type BulkRequest<Row> = {
  create?: readonly object[];
  update?: readonly { row: Row; changes: Partial<Row> }[];
  delete?: readonly Row[];
  /** Ids of deleted rows that come back as they were. */
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

export type SaveRow<Row> = (row: Row, changes: Partial<Row>, call: Call) => Promise<Row>;
export type SaveRows<Row> = (request: BulkRequest<Row>, call: Call) => Promise<BulkOutcome<Row>[]>;
