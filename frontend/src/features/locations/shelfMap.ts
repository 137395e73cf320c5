/** The place of a location on the map, from its name, in the way that patterns build names. */
import type { MapCell } from "./model";
import { countFill, type Fill, weightFill } from "./rules";

export type Shelf = { title: string; rows: ShelfRow[] };
export type ShelfRow = { label: string; cells: MapCell[] };

const PARTS = /[^\p{L}\p{N}]+/u;
const LAST_TWO = /([^\p{L}\p{N}]+[\p{L}\p{N}]+){2}[^\p{L}\p{N}]*$/u;

/** Letters, a number, and what follows it: Z12, 0361, box7b. */
const NUMBERED = /^(\p{L}*)(\d+)\p{L}*$/u;
/** A prefix with more numbers than this has a shelf of its own, in rows of ten. */
const MOST_IN_A_ROW = 30;
const TEN = 10;

/**
 * A-3-07 is in cabinet A, row 3; B-07 and B7 in row B of the shelves; 0001 to 0361, and any prefix
 * with many numbers, in rows of ten. Names with neither parts nor a number are in a group of their
 * own. Cells come in natural order and keep it.
 */
export function shelvesOf(cells: readonly MapCell[]): Shelf[] {
  const prefixes = new Map<string, Prefix>();
  for (const { name } of cells) {
    const [, prefix, digits] = NUMBERED.exec(name.trim()) ?? [];
    if (prefix === undefined || digits === undefined) continue;
    const now = prefixes.get(prefix) ?? { names: 0, width: 0 };
    const width = digits.startsWith("0") ? digits.length : 0;
    prefixes.set(prefix, { names: now.names + 1, width: Math.max(now.width, width) });
  }
  const shelves = new Map<string, Map<string, MapCell[]>>();
  for (const cell of cells) {
    const [title, label] = placeOf(cell.name, prefixes);
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

/** How many names begin so, and how many digits their numbers are filled up to with zeros. */
type Prefix = { names: number; width: number };

/** The shelf and the row of a name. */
function placeOf(name: string, prefixes: ReadonlyMap<string, Prefix>): [string, string] {
  const parts = name.split(PARTS).filter(Boolean);
  if (parts.length > 1) return [parts.length > 2 ? beginning(name) : "", parts.at(-2) ?? ""];
  const [, prefix, digits] = NUMBERED.exec(name.trim()) ?? [];
  if (prefix === undefined || digits === undefined) return [OTHERS, ""];
  const { names, width } = prefixes.get(prefix) ?? { names: 0, width: 0 };
  if (prefix !== "" && names <= MOST_IN_A_ROW) return ["", prefix];
  const first = Math.max(0, Math.floor((Number(digits) - 1) / TEN) * TEN + 1);
  return [prefix || NUMBERS, String(first).padStart(width, "0")];
}

const NUMBERS = "Numbers";
const OTHERS = "Others";

/** A name without its last two parts, as it is written: "A" of A-3-07. */
const beginning = (name: string): string => name.replace(LAST_TWO, "");

/** Cells that are chosen together: all, a shelf, or a row of one. */
export type Group = { key: string; name: string; cells: readonly MapCell[] };

export function groupsOf(shelves: readonly Shelf[]): Group[] {
  const all = shelves.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells));
  const groups: Group[] = [{ key: "", name: "All", cells: all }];
  for (const { title, rows } of shelves) {
    const cells = rows.flatMap((row) => row.cells);
    if (shelves.length > 1) groups.push({ key: `${title} `, name: title || "Shelves", cells });
    for (const row of rows) {
      const [first, last] = [row.cells[0]?.name ?? "", row.cells.at(-1)?.name ?? ""];
      const name = first === last ? first : `${first} to ${last}`;
      groups.push({ key: `${title} row ${row.label}`, name, cells: row.cells });
    }
  }
  return groups;
}

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

/** A cell is a target of at least 24 px; wider than the most, it would be an empty bar. */
const LEAST = 24;
const MOST = 180;
const OF_A_LETTER = 8;

/**
 * How many cells go into a line of so many pixels, and how wide each is: the longest row in one
 * line where its names can be read, else in as few lines of one length as it needs.
 */
export function layoutOf(
  shelves: readonly Shelf[],
  width: number,
): { perLine: number; cell: number } {
  const rows = shelves.flatMap((shelf) => shelf.rows);
  const longest = Math.max(1, ...rows.map(({ cells }) => cells.length));
  const letters = Math.max(
    1,
    ...rows.flatMap(({ cells }) => cells.map(({ name }) => cellText(name).length)),
  );
  const least = Math.min(Math.max(LEAST, (letters + 1) * OF_A_LETTER), MOST);
  const most = Math.max(1, Math.floor(width / least));
  const perLine = Math.ceil(longest / Math.ceil(longest / most));
  return { perLine, cell: Math.min(MOST, Math.max(least, Math.floor(width / perLine))) };
}

/** What is drawn in a cell: the part of the name that differs within its row. */
export const cellText = (name: string): string => {
  const parts = name.split(PARTS).filter(Boolean);
  if (parts.length > 1) return parts.at(-1) ?? name;
  const prefix = NUMBERED.exec(name.trim())?.[1] ?? "";
  return name.trim().slice(prefix.length);
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
