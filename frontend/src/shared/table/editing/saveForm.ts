/** Saves a form's changes of one row at once. The toast and Ctrl+Z undo them. */
import { mountedEditor } from "./registry";
import { type Saved, tellSaved } from "./tellSaved";

export type SavedForm<Row extends object> = Pick<Saved<Row>, "table" | "changes" | "name"> & {
  row: Row;
  /** Saves the row where its table is not on the page: the form was opened from elsewhere. */
  save: (row: Row, changes: Partial<Row>) => Promise<Row>;
};

/** Every field has a column, so that undo and redo show in its cells. Throws refusals. */
export async function saveForm<Row extends object>(form: SavedForm<Row>): Promise<void> {
  const { table, row, changes, name, save } = form;
  const editor = mountedEditor<Row>(table);
  if (editor) return editor.rowActs.saveForm(row, changes);
  const saved = await save(row, changes);
  await tellSaved({ table, before: row, saved, changes, name, save });
}
