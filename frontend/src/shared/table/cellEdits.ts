/** Editing cells: shown at once, saved behind, marked by row and column while and if it fails. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { problemFields, problemText } from "@/shared/lib/problem";
import type { Column, ListAnswer, RowId, RowSource } from "./column";

export type CellMark = { state: "pending" } | { state: "error"; message: string; text: string };
export type CellKey = `${RowId}:${string}`;

export const cellKey = (row: RowId, column: string): CellKey => `${row}:${column}`;

export type CellMarks = ReadonlyMap<CellKey, CellMark>;

export type CellEdits<Row> = {
  marks: CellMarks;
  /** The row as it will be once everything pending is saved. */
  shown: (id: RowId, row: Row) => Row;
  /** Takes what was typed: refused beside the cell, or shown at once and saved. */
  commit: (id: RowId, row: Row, column: Column<Row>, text: string) => Promise<void>;
};

export function useCellEdits<Row extends object>(
  source: RowSource<Row>,
  idOf: (row: Row) => RowId,
  save: ((row: Row, changes: Partial<Row>) => Promise<Row>) | undefined,
): CellEdits<Row> {
  const queryClient = useQueryClient();
  const [marks, setMarks] = useState<CellMarks>(new Map());
  const [overlay, setOverlay] = useState<ReadonlyMap<CellKey, Partial<Row>>>(new Map());

  const mark = useCallback((key: CellKey, value: CellMark | null) => {
    setMarks((now) => withEntry(now, key, value));
  }, []);

  const commit = useCallback(
    async (id: RowId, row: Row, column: Column<Row>, text: string) => {
      const { edit } = column;
      if (!edit || !save) return;
      const key = cellKey(id, column.id);
      if (text === edit.value(row)) return mark(key, null);
      const refusal = edit.check?.(text);
      if (refusal) return mark(key, { state: "error", message: refusal, text });

      const changes = edit.parse(text);
      mark(key, { state: "pending" });
      setOverlay((now) => withEntry(now, key, changes));
      try {
        const saved = await save(row, changes);
        queryClient.setQueriesData<ListAnswer<Row>>({ queryKey: source.key }, (page) =>
          page ? { ...page, data: page.data.map((old) => (idOf(old) === id ? saved : old)) } : page,
        );
        mark(key, null);
      } catch (error) {
        const told = Object.values(problemFields(error)).flat().join(" ");
        mark(key, { state: "error", message: told || problemText(error), text });
      } finally {
        setOverlay((now) => withEntry(now, key, null));
      }
    },
    [queryClient, source.key, idOf, save, mark],
  );

  const shown = useCallback(
    (id: RowId, row: Row) => {
      const own = [...overlay].filter(([key]) => key.startsWith(`${id}:`));
      return own.length ? Object.assign({}, row, ...own.map(([, changes]) => changes)) : row;
    },
    [overlay],
  );
  return { marks, shown, commit };
}

function withEntry<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, value: Value | null) {
  const next = new Map(map);
  if (value === null) next.delete(key);
  else next.set(key, value);
  return next;
}
