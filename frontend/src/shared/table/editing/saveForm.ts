/** What a form changed of one row: saved at once, and taken back from its toast or by Ctrl+Z. */
import { problemText } from "@/shared/lib/problem";
import { toast } from "@/shared/ui/toast";
import { currentRow } from "./core";
import { editorFor } from "./registry";

export type SavedForm<Row extends object> = {
  /** The `historyKey` of the table whose row it is, or its id. */
  table: string;
  row: Row;
  changes: Partial<Row>;
  /** How a person calls the row. */
  name: string;
  /** Stores it where the table is not on the page: the form was opened from elsewhere. */
  save: (row: Row, changes: Partial<Row>) => Promise<Row>;
};

/** Throws what the server refuses: the form shows it. */
export async function saveForm<Row extends object>(form: SavedForm<Row>): Promise<void> {
  const { table, row, changes, name, save } = form;
  const editor = editorFor<Row>(table);
  if (editor.hasTable) return editor.rowActs.saveForm(row, changes);
  const saved = await save(row, changes);
  const undo = () => {
    save(saved, pick(row, changes)).then(
      () => toast.success(`${name} is as it was`),
      (error: unknown) =>
        toast.error(
          currentRow(error) ? "Not undone: it was changed again meanwhile." : problemText(error),
        ),
    );
  };
  toast.success(`${name} changed`, { action: { label: "Undo", run: undo } });
}

/** The values of `row` under the names of `changes`. */
function pick<Row extends object>(row: Row, changes: Partial<Row>): Partial<Row> {
  const names = Object.keys(changes) as (keyof Row)[]; // names of Row, as its type says
  const values = names.map((key) => [key, row[key]]);
  return Object.fromEntries(values) as Partial<Row>; // each with its value
}
