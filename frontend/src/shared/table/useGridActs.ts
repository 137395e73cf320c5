/** Ranges of cells in a grid, and what is done with them once the editor is there. */
import { useEffect, useMemo, useState } from "react";
import { useStable } from "@/shared/lib/useStable";
import type { CellEdits } from "./cellEdits";
import type { GridActs, GridContext } from "./editing/gridActs";
import type { Range } from "./editing/range";

/** A range holds for one list: another page, order or filter ends it. */
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

/** Where a range begins and ends in a row, by column; -1 where it does not touch it. */
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
