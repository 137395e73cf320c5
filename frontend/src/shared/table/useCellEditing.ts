/** The edited cell of a grid: how editing begins and ends. */
import { useState } from "react";
import { useStable } from "@/shared/lib/useStable";
import type { Column } from "./column";
import type { GridActs } from "./editing/gridActs";
import type { Range } from "./editing/range";
import { afterEditing, type Grid, type Move, type Position } from "./keyboard";
import type { Editing, RowsViewProps } from "./view";

export function useCellEditing<Row extends object>(
  { rowAt, rows, edits, canEdit }: RowsViewProps<Row>,
  grid: {
    size: Grid;
    columnAt: (index: number) => Column<Row> | undefined;
    setFocus: (position: Position) => void;
    goTo: (position: Position) => void;
    range: Range | null;
    setRange: (range: Range | null) => void;
    acts: GridActs<Row> | null;
  },
) {
  const { columnAt, range } = grid;
  const [editing, setEditing] = useState<Editing | null>(null);

  const start = useStable((position: Position, typed?: string) => {
    const row = rowAt(position.row);
    const column = columnAt(position.column);
    if (!canEdit || !edits.editor || !column?.edit || !row || rows.stale) return false;
    const mark = edits.marksOf(row.id)?.[column.id];
    const refused = mark?.state === "error" ? mark.text : undefined;
    const value = column.edit.value(edits.shown(row.id, row.original));
    grid.setFocus(position);
    setEditing({ position, text: typed ?? refused ?? value, typed: typed !== undefined, value });
    return true;
  });
  const finish = useStable((text: string | null, move: Move) => {
    if (!editing) return;
    const { position } = editing;
    const row = rowAt(position.row);
    const column = columnAt(position.column);
    setEditing(null);
    if (text !== null && row && column) {
      if (move === "range" && range) void grid.acts?.fill(text);
      else edits.editor?.commit(row.id, row.original, column, text);
    }
    if (move !== "range" && move !== "stay") grid.setRange(null);
    const then = afterEditing(position, move, grid.size);
    if (then) grid.goTo(then);
  });
  return { editing, start, finish };
}
