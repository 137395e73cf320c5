/** The editors of all tables, by key: they outlast the tables that they belong to. */
import { onPersonForgotten } from "@/shared/lib/person";
import { TableEditor } from "./editor";

const editors = new Map<string, TableEditor<object>>();

/** The editor of a key; made at its first call. */
export function editorFor<Row extends object>(key: string): TableEditor<Row> {
  let editor = editors.get(key);
  if (!editor) {
    editor = new TableEditor<object>(key);
    editors.set(key, editor);
  }
  return editor as unknown as TableEditor<Row>; // one key is one kind of rows
}

onPersonForgotten(() => {
  for (const editor of editors.values()) editor.reset();
});

window.addEventListener("beforeunload", (event) => {
  if ([...editors.values()].some(({ cells }) => cells.unsaved)) event.preventDefault();
});
