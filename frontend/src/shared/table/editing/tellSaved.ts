/** Announces a row that a form saved. The toast and Ctrl+Z in its table undo it. */
import { toast } from "@/shared/ui/toast";
import { mountedEditor } from "./registry";
import { tellAct } from "./tellAct";

export type Saved<Row extends object> = {
  /** The `historyKey` of the table whose row it is, or its id. */
  table: string;
  before: Row;
  saved: Row;
  /** The fields that the form sent. */
  changes: Partial<Row>;
  /** The name of the row for people. */
  name: string;
  save: (row: Row, changes: Partial<Row>) => Promise<unknown>;
};

export async function tellSaved<Row extends object>(given: Saved<Row>): Promise<void> {
  const { table, before, saved, changes, name, save } = given;
  const sent = Object.keys(changes) as (keyof Row)[]; // names of Row, as its type ensures
  const changed = sent.filter((key) => before[key] !== saved[key]);
  if (changed.length === 0) {
    toast.success(`${name} saved`);
    return;
  }
  /** Later changes of other fields stay. If the same field was changed since, it is a conflict. */
  const current = (): Row => {
    const editor = mountedEditor<Row>(table);
    const now = editor?.rowOf(editor.desk.idOf(saved));
    return now && changed.every((key) => now[key] === saved[key]) ? now : saved;
  };
  await tellAct({
    table,
    type: "cell-edit",
    label: `Change ${name}`,
    words: `${name} saved`,
    takeBack: async () => {
      const values = changed.map((key) => [key, before[key]]);
      await save(current(), Object.fromEntries(values) as Partial<Row>); // each with its value
      return `${name} is as it was`;
    },
  });
}
