/** The effect of keys in a grid. Pure: positions in, position out. */

/** Row -1 is the header. */
export type Position = { row: number; column: number };
export type Grid = { rows: number; columns: number; rowsInView: number };
export type Key = { key: string; ctrlKey: boolean; metaKey: boolean };

/**
 * The focus after editing: on a neighbour, back on the cell, or unchanged; "range" saves the text
 * in all cells of the range.
 */
export type Move = "down" | "up" | "right" | "left" | "stay" | "away" | "range";

/** The cell after a move; null where the focus has already moved. */
export function afterEditing(
  { row, column }: Position,
  move: Move,
  grid: Pick<Grid, "rows" | "columns">,
): Position | null {
  if (move === "away") return null;
  const rows = move === "down" ? 1 : move === "up" ? -1 : 0;
  const columns = move === "right" ? 1 : move === "left" ? -1 : 0;
  return {
    row: Math.min(Math.max(row + rows, 0), grid.rows - 1),
    column: Math.min(Math.max(column + columns, 0), grid.columns - 1),
  };
}

/** The position after a key, kept inside the grid; null for keys that do not move. */
export function nextPosition({ row, column }: Position, key: Key, grid: Grid): Position | null {
  const far = key.ctrlKey || key.metaKey;
  const lastRow = grid.rows - 1;
  const lastColumn = grid.columns - 1;
  const moves: Record<string, Position> = {
    ArrowUp: { row: far ? 0 : row - 1, column },
    ArrowDown: { row: far ? lastRow : row + 1, column },
    ArrowLeft: { row, column: far ? 0 : column - 1 },
    ArrowRight: { row, column: far ? lastColumn : column + 1 },
    Home: { row: far ? 0 : row, column: 0 },
    End: { row: far ? lastRow : row, column: lastColumn },
    PageUp: { row: Math.max(0, row - grid.rowsInView), column },
    PageDown: { row: row + grid.rowsInView, column },
  };
  const to = moves[key.key];
  if (!to) return null;
  return {
    row: Math.min(Math.max(to.row, -1), lastRow),
    column: Math.min(Math.max(to.column, 0), lastColumn),
  };
}
