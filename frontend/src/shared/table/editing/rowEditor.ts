/** Rows that a page deletes or makes itself, as steps of its table's history. */
import type { FailedRow } from "./operations";
import type { NotedAct } from "./rowActs";

export type RowEditor<Row extends object> = {
  /** Deletes rows with a toast that offers to bring them back; resolves with the refused ones. */
  deleteRows: (rows: readonly Row[]) => Promise<FailedRow[]>;
  /** Makes rows; resolves with them as stored. */
  createRows: (drafts: readonly object[]) => Promise<Row[]>;
  /** Rows that were made elsewhere become a step: undoing it deletes them. */
  noteCreated: (rows: readonly Row[]) => void;
  /** An act that the server keeps becomes a step. Returns what its toast's undo runs. */
  noteAct: (act: NotedAct) => () => void;
};

/** The row editor of a table that is (or was) drawn; `key` is its `historyKey` or its id. */
export async function rowEditor<Row extends object>(key: string): Promise<RowEditor<Row>> {
  const { editorFor } = await import("./registry");
  const { rowActs } = editorFor<Row>(key);
  return {
    deleteRows: (rows) => rowActs.delete(rows),
    createRows: (drafts) => rowActs.create(drafts),
    noteCreated: (rows) => rowActs.noteCreated(rows),
    noteAct: (act) => rowActs.noteAct(act),
  };
}
