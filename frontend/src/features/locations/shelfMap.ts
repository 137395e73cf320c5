/** The place of a location on the map, from its name, in the way that patterns build names. */
import type { MapCell } from "./model";
import { countFill, type Fill, weightFill } from "./rules";

export type Shelf = { title: string; rows: ShelfRow[] };
export type ShelfRow = { label: string; cells: MapCell[] };

const PARTS = /[^\p{L}\p{N}]+/u;
const LAST_TWO = /([^\p{L}\p{N}]+[\p{L}\p{N}]+){2}[^\p{L}\p{N}]*$/u;

/**
 * A-3-07 is in cabinet A, row 3; B-07 in row B of the shelves; names without parts are in a group
 * of their own. Cells come in natural order and keep it.
 */
export function shelvesOf(cells: readonly MapCell[]): Shelf[] {
  const shelves = new Map<string, Map<string, MapCell[]>>();
  for (const cell of cells) {
    const parts = cell.name.split(PARTS).filter(Boolean);
    const title = parts.length > 2 ? beginning(cell.name) : parts.length === 2 ? "" : OTHERS;
    const label = parts.length > 1 ? (parts.at(-2) ?? "") : "";
    const rows = shelves.get(title) ?? new Map<string, MapCell[]>();
    shelves.set(title, rows);
    const row = rows.get(label) ?? [];
    rows.set(label, row);
    row.push(cell);
  }
  return [...shelves].map(([title, rows]) => ({
    title,
    rows: [...rows].map(([label, row]) => ({ label, cells: row })),
  }));
}

const OTHERS = "Others";

/** A name without its last two parts, as it is written: "A" of A-3-07. */
const beginning = (name: string): string => name.replace(LAST_TWO, "");

export type MapLine =
  | { kind: "title"; title: string }
  | { kind: "cells"; label: string; cells: readonly MapCell[] };

/** The lines that are drawn, rows broken after so many cells. */
export function linesOf(shelves: readonly Shelf[], perLine: number): MapLine[] {
  const lines: MapLine[] = [];
  for (const { title, rows } of shelves) {
    if (title || shelves.length > 1) lines.push({ kind: "title", title: title || "Shelves" });
    for (const { label, cells } of rows) {
      for (let from = 0; from < cells.length; from += perLine) {
        const some = cells.slice(from, from + perLine);
        lines.push({ kind: "cells", label: from === 0 ? label : "", cells: some });
      }
    }
  }
  return lines;
}

/** What is drawn in a cell: the part of the name that differs within its row. */
export const cellText = (name: string): string => {
  const parts = name.split(PARTS).filter(Boolean);
  return parts.length > 1 ? (parts.at(-1) ?? name) : name;
};

export type CellState = "empty" | "some" | Exclude<Fill["state"], "open">;

/** The fuller of pieces and weight decides; a person's mark counts as full. */
export function cellFill(cell: MapCell): { state: CellState; share: number | null } {
  const fills = [countFill(cell), weightFill(cell)];
  const shares = fills.map(({ share }) => share).filter((share) => share !== null);
  const share = shares.length > 0 ? Math.max(...shares) : null;
  const states = fills.map(({ state }) => state);
  if (states.includes("over")) return { state: "over", share };
  if (cell.is_full || (cell.item_count > 0 && states.includes("full"))) {
    return { state: "full", share };
  }
  if (cell.item_count === 0) return { state: "empty", share };
  return { state: states.includes("nearlyFull") ? "nearlyFull" : "some", share };
}

export const cellWords: Record<CellState, string> = {
  empty: "empty",
  some: "in use",
  nearlyFull: "nearly full",
  full: "full",
  over: "over a limit",
};

/** The cell next to another in the lines, for the arrow keys. */
export function neighbour(
  lines: readonly MapLine[],
  at: { line: number; cell: number },
  key: string,
): { line: number; cell: number } {
  const cellsIn = (line: number) => {
    const found = lines[line];
    return found?.kind === "cells" ? found.cells.length : 0;
  };
  const seek = (from: number, step: 1 | -1): number => {
    let line = from;
    while (line >= 0 && line < lines.length && cellsIn(line) === 0) line += step;
    return line >= 0 && line < lines.length ? line : -1;
  };
  const inLine = (line: number, cell: number) =>
    line < 0 ? at : { line, cell: Math.max(0, Math.min(cell, cellsIn(line) - 1)) };
  switch (key) {
    case "ArrowRight":
      return at.cell + 1 < cellsIn(at.line)
        ? { ...at, cell: at.cell + 1 }
        : inLine(seek(at.line + 1, 1), 0);
    case "ArrowLeft":
      return at.cell > 0
        ? { ...at, cell: at.cell - 1 }
        : inLine(seek(at.line - 1, -1), Number.POSITIVE_INFINITY);
    case "ArrowDown":
      return inLine(seek(at.line + 1, 1), at.cell);
    case "ArrowUp":
      return inLine(seek(at.line - 1, -1), at.cell);
    case "PageDown":
      return inLine(seek(Math.min(lines.length - 1, at.line + 10), -1), at.cell);
    case "PageUp":
      return inLine(seek(Math.max(0, at.line - 10), 1), at.cell);
    case "Home":
      return inLine(seek(0, 1), 0);
    case "End":
      return inLine(seek(lines.length - 1, -1), Number.POSITIVE_INFINITY);
    default:
      return at;
  }
}
