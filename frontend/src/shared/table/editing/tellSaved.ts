/** Announces a row that a form saved. The toast and Ctrl+Z in its table undo it. */
import { keysOf, partOf } from "@/shared/lib/records";
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
  const sent = keysOf(changes);
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
      await save(
        current(),
        partOf(before, (key) => changed.includes(key)),
      );
      return `${name} restored`;
    },
  });
}
