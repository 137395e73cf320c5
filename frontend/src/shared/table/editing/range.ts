/** A cell range in a grid, from its first to its last cell. Pure. */
import { type Grid, type Key, nextPosition, type Position } from "../keyboard";
import type { Area } from "./plan";

export type Range = { anchor: Position; head: Position };

/** The rectangle of a range in data columns. The `leading` columns before them hold no data. */
export function areaOf({ anchor, head }: Range, leading: number, columns: number): Area {
  const data = (column: number) => Math.min(Math.max(column - leading, 0), columns - 1);
  return {
    top: Math.max(0, Math.min(anchor.row, head.row)),
    bottom: Math.max(0, anchor.row, head.row),
    left: Math.min(data(anchor.column), data(head.column)),
    right: Math.max(data(anchor.column), data(head.column)),
  };
}

/** The range after a key with Shift; null for other keys. */
export function extended(range: Range, key: Key, grid: Grid): Range | null {
  const to = nextPosition(range.head, key, grid);
  return to && { anchor: range.anchor, head: { ...to, row: Math.max(0, to.row) } };
}

export const cellsIn = ({ top, bottom, left, right }: Area): number =>
  (bottom - top + 1) * (right - left + 1);
