/** The editors of the mounted tables by key, and editors with unsent changes. */
import { createKeeper } from "@/shared/lib/keeper";
import { log } from "@/shared/lib/log";
import { onPersonForgotten } from "@/shared/lib/person";
import { problemText } from "@/shared/lib/problem";
import { TableEditor, type UnsavedRow } from "./editor";

/** A bulk edit of more rows is not kept over a reload: the browser has room for a few thousand. */
const MOST_KEPT = 500;

const editors = new Map<string, TableEditor<object>>();
/** The number of grids that show an editor. */
const grids = new WeakMap<TableEditor<object>, number>();

type Unsaved = Record<string, readonly UnsavedRow<object>[]>;
const keeper = createKeeper<Unsaved>("edits");
/** Edits from before a reload whose tables have not been opened yet. */
let left: Unsaved = {};
let taking: Promise<void> | undefined;

/** Returns the editor of a key; creates it on the first call. */
export function editorFor<Row extends object>(key: string): TableEditor<Row> {
  let editor = editors.get(key);
  if (!editor) {
    editor = new TableEditor<object>(key);
    editors.set(key, editor);
    keepEditsOf(editor);
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
  void resumeEdits(key, editor);
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

function keepEditsOf(editor: TableEditor<object>): void {
  let seen = editor.cells.revision;
  editor.subscribe(() => {
    if (editor.cells.revision === seen) return;
    seen = editor.cells.revision;
    keepEdits();
  });
}

function keepEdits(): void {
  const all: Unsaved = { ...left };
  for (const [key, editor] of editors) {
    const rows = editor.unsaved();
    if (rows.length > 0 && rows.length <= MOST_KEPT) all[key] = rows;
  }
  try {
    keeper.keep(Object.keys(all).length > 0 ? all : null);
  } catch (error) {
    log.warn(`Edits are not kept over a reload: ${problemText(error)}`);
  }
}

/** Sends the edits of this table that a reload or a closed tab interrupted. */
async function resumeEdits(key: string, editor: TableEditor<object>): Promise<void> {
  taking ??= keeper.takeLeft().then((found) => {
    for (const [table, rows] of found.flatMap((one) => Object.entries(one))) {
      left = { ...left, [table]: [...(left[table] ?? []), ...rows] };
    }
    keepEdits();
  });
  await taking;
  const { [key]: rows, ...others } = left;
  if (!rows || !editor.hasTable) return;
  left = others;
  const sent = editor.resume(rows);
  keepEdits();
  await sent;
}

/** The number of editors that are kept. */
export const keptEditors = (): number => editors.size;

onPersonForgotten(() => {
  left = {};
  for (const editor of editors.values()) editor.reset();
});

window.addEventListener("beforeunload", (event) => {
  if ([...editors.values()].some(({ unsent }) => unsent)) event.preventDefault();
});
