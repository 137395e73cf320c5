/** The editors of the tables that are drawn, by key; and those that still have something to send. */
import { onPersonForgotten } from "@/shared/lib/person";
import { TableEditor } from "./editor";

const editors = new Map<string, TableEditor<object>>();
/** How many grids show an editor. */
const grids = new WeakMap<TableEditor<object>, number>();

/** The editor of a key; made at its first call. */
export function editorFor<Row extends object>(key: string): TableEditor<Row> {
  let editor = editors.get(key);
  if (!editor) {
    editor = new TableEditor<object>(key);
    editors.set(key, editor);
  }
  return editor as unknown as TableEditor<Row>; // one key is one kind of rows
}

/** A grid shows an editor until it calls what this returns; then it is dropped once all is sent. */
export function keepEditor<Row extends object>(key: string, shown: TableEditor<Row>): () => void {
  const editor = shown as unknown as TableEditor<object>; // as above
  const count = (by: number) => {
    const now = (grids.get(editor) ?? 0) + by;
    grids.set(editor, now);
    return now;
  };
  count(1);
  // React may take a grid away and bring it back with the same editor.
  editors.set(key, editor);
  return () => {
    if (count(-1) > 0) return;
    const drop = () => {
      if ((grids.get(editor) ?? 0) === 0 && editor.unsent) return;
      stop();
      if (grids.get(editor) === 0 && editors.get(key) === editor) editors.delete(key);
    };
    const stop = editor.subscribe(drop);
    drop();
  };
}

/** How many editors are kept. */
export const keptEditors = (): number => editors.size;

onPersonForgotten(() => {
  for (const editor of editors.values()) editor.reset();
});

window.addEventListener("beforeunload", (event) => {
  if ([...editors.values()].some(({ unsent }) => unsent)) event.preventDefault();
});
