/** Rows that a page deletes or creates itself, as steps of its table's history. */

import type { NotedAct } from "./rowActs";
import type { FailedRow } from "./syncOperations";

export type RowEditor<Row extends object> = {
  /** Deletes rows with a toast that offers to restore them; resolves with the refused rows. */
  deleteRows: (rows: readonly Row[]) => Promise<FailedRow[]>;
  /** Creates rows; resolves with the stored rows. */
  createRows: (drafts: readonly object[]) => Promise<Row[]>;
  /** Records rows that were created elsewhere as a step: undo deletes them. */
  noteCreated: (rows: readonly Row[]) => void;
  /** Records an act of the server as a step. Returns the function that its toast's undo runs. */
  noteAct: (act: NotedAct) => () => void;
};

/** The row editor of a table that is or was mounted; `key` is its `historyKey` or its id. */
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
