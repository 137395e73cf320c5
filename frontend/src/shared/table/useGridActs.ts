/** Cell ranges in a grid, and the acts on them once the editor is loaded. */
import { useEffect, useMemo, useState } from "react";
import { useStable } from "@/shared/lib/useStable";
import type { CellEdits } from "./cellEdits";
import type { GridActs, GridContext } from "./editing/gridActs";
import type { Range } from "./editing/range";

/** A range belongs to one list: another page, order or filter ends it. */
export function useRange(list: string): [Range | null, (range: Range | null) => void] {
  const [kept, setKept] = useState<{ range: Range | null; list: string }>({ range: null, list });
  const set = useStable((range: Range | null) => setKept({ range, list }));
  return [kept.list === list ? kept.range : null, set];
}

export function useGridActs<Row extends object>(
  { parts, editor }: CellEdits<Row>,
  context: () => Omit<GridContext<Row>, "editor">,
): GridActs<Row> | null {
  const now = useStable(context);
  const acts = useMemo(
    () => (parts && editor ? new parts.GridActs<Row>(() => ({ ...now(), editor })) : null),
    [parts, editor, now],
  );
  useEffect(() => {
    if (!editor || !acts) return;
    editor.goToCell = (row, column) => acts.goToCell(row, column);
    editor.rangeRows = () => acts.rangeRows();
    editor.chosenColumn = () => acts.rangeColumn();
    return () => {
      editor.goToCell = () => false;
      editor.rangeRows = () => [];
    };
  }, [editor, acts]);
  return acts;
}

/** The first and last column of a range in a row; -1 where it has none. */
export function rangeIn(range: Range | null, row: number): { first: number; last: number } {
  if (!range) return OUTSIDE;
  const { anchor, head } = range;
  const top = Math.min(anchor.row, head.row);
  if (row < top || row > Math.max(anchor.row, head.row)) return OUTSIDE;
  return {
    first: Math.min(anchor.column, head.column),
    last: Math.max(anchor.column, head.column),
  };
}

const OUTSIDE = { first: -1, last: -1 };
