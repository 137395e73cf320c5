/**
 * The interface between a table and its editor. The editor is a chunk of its own, loaded while the
 * first page is drawn: editing is only possible once rows are shown.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import type { RowId } from "./column";
import type { Desk } from "./editing/desk";
import type { TableEditor } from "./editing/editor";
import type { RowMarks } from "./editing/model";
import type * as Parts from "./editing/parts";

export type EditingParts = typeof Parts;

export type CellEdits<Row extends object> = {
  /** Null until its chunk is loaded, and for read-only tables. */
  editor: TableEditor<Row> | null;
  parts: EditingParts | null;
  /** Marks of a row by column. The same object while no mark changes. */
  marksOf: (id: RowId) => RowMarks | undefined;
  /** The row with all unsaved changes. */
  shown: (id: RowId, row: Row) => Row;
};

let loaded: EditingParts | null = null;

async function load(): Promise<EditingParts> {
  loaded ??= await import("./editing/parts");
  return loaded;
}

const nothing = () => () => undefined;

export function useCellEdits<Row extends object>(
  key: string,
  given: Omit<Desk<Row>, "queryClient">,
): CellEdits<Row> {
  const queryClient = useQueryClient();
  const enabled = given.save !== undefined || given.saveRows !== undefined;
  const [parts, setParts] = useState(loaded);
  useEffect(() => {
    if (!enabled || parts) return;
    let mounted = true;
    // If the chunk cannot be loaded, the table stays read-only; the next page tries again.
    load().then(
      (came) => mounted && setParts(came),
      () => undefined,
    );
    return () => {
      mounted = false;
    };
  }, [enabled, parts]);

  const editor = enabled && parts ? parts.editorFor<Row>(key) : null;
  // Runs before anything is drawn that needs it.
  if (editor && !editor.isAttached(queryClient)) editor.attach({ ...given, queryClient });
  useLayoutEffect(() => editor?.attach({ ...given, queryClient }));
  useEffect(
    () => (editor && parts ? parts.keepEditor(key, editor) : undefined),
    [key, editor, parts],
  );
  useSyncExternalStore(editor?.subscribe ?? nothing, () => editor?.version ?? 0);

  return {
    editor,
    parts,
    marksOf: useCallback((id: RowId) => editor?.cells.marksOf(id), [editor]),
    shown: useCallback((id: RowId, row: Row) => editor?.shown(id, row) ?? row, [editor]),
  };
}
