/** What a form changed of one row: saved at once, and taken back from its toast or by Ctrl+Z. */
import { editorFor } from "./registry";
import { type Saved, tellSaved } from "./tellSaved";

export type SavedForm<Row extends object> = Pick<Saved<Row>, "table" | "changes" | "name"> & {
  row: Row;
  /** Stores it where the table is not on the page: the form was opened from elsewhere. */
  save: (row: Row, changes: Partial<Row>) => Promise<Row>;
};

/** Every field has a column, so that undo and redo show in its cells. Throws what is refused. */
export async function saveForm<Row extends object>(form: SavedForm<Row>): Promise<void> {
  const { table, row, changes, name, save } = form;
  const editor = editorFor<Row>(table);
  if (editor.hasTable) return editor.rowActs.saveForm(row, changes);
  const saved = await save(row, changes);
  await tellSaved({ table, before: row, saved, changes, name, save });
}
