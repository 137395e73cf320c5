/** Where the arrow keys lead in a grid. Pure: positions in, position out. */

/** Row -1 is the header. */
export type Position = { row: number; column: number };
export type Grid = { rows: number; columns: number; rowsInView: number };
export type Key = { key: string; ctrlKey: boolean; metaKey: boolean };

/** The position that a key leads to, kept inside the grid; null for keys that lead nowhere. */
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
