/** The editors of the mounted tables by key, and editors with unsent changes. */
import { onPersonForgotten } from "@/shared/lib/person";
import { onPageLeft } from "@/shared/outbox/keptSteps";
import { TableEditor } from "./editor";

const editors = new Map<string, TableEditor<object>>();
/** The number of grids that show an editor. */
const grids = new WeakMap<TableEditor<object>, number>();

/** Returns the editor of a key; creates it on the first call. */
export function editorFor<Row extends object>(key: string): TableEditor<Row> {
  let editor = editors.get(key);
  if (!editor) {
    editor = new TableEditor<object>(key);
    editors.set(key, editor);
  }
  return editor as unknown as TableEditor<Row>; // a key always has the same kind of rows
}

/**
 * A grid shows an editor until it calls the returned function. The editor is dropped once all
 * changes are sent.
 */
export function keepEditor<Row extends object>(key: string, shown: TableEditor<Row>): () => void {
  const editor = shown as unknown as TableEditor<object>; // as above
  const count = (by: number) => {
    const now = (grids.get(editor) ?? 0) + by;
    grids.set(editor, now);
    return now;
  };
  count(1);
  // React may unmount a grid and mount it again with the same editor.
  editors.set(key, editor);
  // Steps of the page before, and edits that a reload or a closed tab interrupted.
  if (editor.hasTable) void editor.operations.resume();
  return () => {
    if (count(-1) > 0) return;
    const drop = () => {
      if ((grids.get(editor) ?? 0) === 0 && editor.unsent) return;
      stop();
      if (grids.get(editor) !== 0 || editors.get(key) !== editor) return;
      editors.delete(key);
      editor.operations.dropSteps();
    };
    const stop = editor.subscribe(drop);
    drop();
  };
}

/** The number of editors that are kept. */
export const keptEditors = (): number => editors.size;

onPersonForgotten(() => {
  for (const editor of editors.values()) editor.reset();
});

onPageLeft(
  () => {
    for (const editor of editors.values()) editor.operations.keepSteps();
  },
  () => {
    for (const editor of editors.values()) editor.operations.dropStepsOfPage();
  },
);

window.addEventListener("beforeunload", (event) => {
  if ([...editors.values()].some(({ unsent }) => unsent)) event.preventDefault();
});
