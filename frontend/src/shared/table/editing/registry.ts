/**
 * The editors of the mounted tables by key, editors with refused texts, and those whose steps wait
 * for their table: Ctrl+Z in it undoes what a form or an act did elsewhere.
 */
import { onPersonForgotten } from "@/shared/lib/person";
import { onPageLeft } from "@/shared/outbox/keptSteps";
import { TableEditor } from "./editor";

const editors = new Map<string, TableEditor<object>>();
/** The number of grids that show an editor. */
const grids = new WeakMap<TableEditor<object>, number>();
/** Editors whose steps the tab has for its next page: only they know what they took from there. */
const keptByTab = new WeakSet<TableEditor<object>>();
/** So many tables' steps wait for them, of the last ones. */
const MOST_WAITING = 10;

/** Returns the editor of a key; creates it on the first call. */
export function editorFor<Row extends object>(key: string): TableEditor<Row> {
  let editor = editors.get(key);
  if (!editor) {
    editor = new TableEditor<object>(key);
    editors.set(key, editor);
    editor.subscribe(dropWaiting);
  }
  return editor as unknown as TableEditor<Row>; // a key always has the same kind of rows
}

/** The editor of a table that is mounted or has been. */
export function mountedEditor<Row extends object>(key: string): TableEditor<Row> | undefined {
  const editor = editors.get(key);
  return editor?.hasTable ? editorFor<Row>(key) : undefined;
}

/** Drops editors without a table: those with nothing to undo, and the oldest of the others. */
function dropWaiting(): void {
  const idle = [...editors].filter(([, editor]) => !editor.hasTable && !editor.isNeeded);
  const waiting = idle.filter(([, editor]) => hasSteps(editor));
  const oldest = waiting.slice(0, Math.max(0, waiting.length - MOST_WAITING));
  for (const [key, editor] of idle) {
    if (hasSteps(editor) && !oldest.some(([each]) => each === key)) continue;
    editors.delete(key);
    if (keptByTab.has(editor)) editor.operations.dropSteps();
  }
}

const hasSteps = (editor: TableEditor<object>): boolean =>
  editor.history.done.length + editor.history.undone.length > 0 || keptByTab.has(editor);

/**
 * A grid shows an editor until it calls the returned function. The editor is dropped once all
 * texts are corrected or let go.
 */
export function keepEditor<Row extends object>(key: string, shown: TableEditor<Row>): () => void {
  const editor = shown as unknown as TableEditor<object>; // as above
  const count = (by: number) => {
    const now = (grids.get(editor) ?? 0) + by;
    grids.set(editor, now);
    editor.isShown = now > 0;
    return now;
  };
  count(1);
  // React may unmount a grid and mount it again with the same editor.
  editors.set(key, editor);
  // Steps of the page before, and edits that are not sent yet.
  if (editor.hasTable) editor.operations.resume();
  return () => {
    if (count(-1) > 0) return;
    const drop = () => {
      if ((grids.get(editor) ?? 0) === 0 && editor.isNeeded) return;
      stop();
      if (grids.get(editor) !== 0 || editors.get(key) !== editor) return;
      editors.delete(key);
      editor.detach();
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
    for (const editor of editors.values()) {
      editor.operations.keepSteps();
      keptByTab.add(editor);
    }
  },
  () => {
    for (const editor of editors.values()) editor.operations.dropStepsOfPage();
  },
);

window.addEventListener("beforeunload", (event) => {
  if ([...editors.values()].some(({ isNeeded }) => isNeeded)) event.preventDefault();
});
