/** What can be undone and redone. Pure: histories in, histories out; 50 steps at most. */
import type { RowId } from "../column";
import type { ActionType, CellChange } from "./model";

export const HISTORY_LIMIT = 50;

/** A row that was deleted or made, with what brings it back. */
export type KeptRow = { id: RowId; name: string; draft: object | null };

export type HistoryEntry = {
  id: number;
  type: ActionType;
  /** Milliseconds since the epoch. */
  at: number;
  label: string;
  cells: readonly CellChange[];
  rows: readonly KeptRow[];
  /** An act that the server keeps: takes it back there. It cannot be done again from here. */
  takeBack?: () => Promise<unknown>;
};

/** Oldest first; the last of `done` is undone next, the last of `undone` redone next. */
export type History = { done: readonly HistoryEntry[]; undone: readonly HistoryEntry[] };

export const emptyHistory: History = { done: [], undone: [] };

/** After a new act: nothing can be redone any more, and the oldest beyond the limit is forgotten. */
export function recorded(history: History, entry: HistoryEntry): History {
  return { done: [...history.done, entry].slice(-HISTORY_LIMIT), undone: [] };
}

export function undone(history: History): { history: History; entry: HistoryEntry } | null {
  const entry = history.done.at(-1);
  if (!entry) return null;
  const next = { done: history.done.slice(0, -1), undone: [...history.undone, entry] };
  return { history: next, entry };
}

export function redone(history: History): { history: History; entry: HistoryEntry } | null {
  const entry = history.undone.at(-1);
  if (!entry) return null;
  const next = { done: [...history.done, entry], undone: history.undone.slice(0, -1) };
  return { history: next, entry };
}

/** An entry that was to be undone (or redone) and could not be: back where it was. */
export function putBack(history: History, entry: HistoryEntry, from: "done" | "undone"): History {
  const without = dropped(history, entry.id);
  const target = [...without[from], entry].sort((a, b) =>
    from === "done" ? a.id - b.id : b.id - a.id,
  );
  return from === "done" ? { ...without, done: target } : { ...without, undone: target };
}

export function dropped(history: History, id: number): History {
  const stays = (entry: HistoryEntry) => entry.id !== id;
  return { done: history.done.filter(stays), undone: history.undone.filter(stays) };
}

/** The entry without what did not come about; gone when nothing is left of it. */
export function trimmed(history: History, id: number, failed: (cell: CellChange) => boolean) {
  return changed(history, (entry) => {
    if (entry.id !== id) return entry;
    const cells = entry.cells.filter((cell) => !failed(cell));
    return cells.length || entry.rows.length ? { ...entry, cells } : null;
  });
}

/** A text was stored in other words: what is undone or redone starts from those. */
export function restated(history: History, now: CellChange): History {
  const word = (text: string) => (text === now.before ? now.after : text);
  return changed(history, (entry) => {
    if (!entry.cells.some(({ row, column }) => row === now.row && column === now.column)) {
      return entry;
    }
    const cells = entry.cells.map((cell) =>
      cell.row === now.row && cell.column === now.column
        ? { ...cell, before: word(cell.before), after: word(cell.after) }
        : cell,
    );
    return { ...entry, cells };
  });
}

/** A row that came back has a new id: what was done to the old one is meant for it. */
export function renamed(history: History, ids: ReadonlyMap<RowId, RowId>): History {
  return changed(history, (entry) => ({
    ...entry,
    cells: entry.cells.map((cell) => ({ ...cell, row: ids.get(cell.row) ?? cell.row })),
    rows: entry.rows.map((row) => ({ ...row, id: ids.get(row.id) ?? row.id })),
  }));
}

/**
 * How many undos (positive) or redos (negative) lead to the state right after an entry; to before
 * the first for one that is not there.
 */
export function stepsTo(history: History, id: number): number {
  const place = history.done.findIndex((entry) => entry.id === id);
  if (place >= 0) return history.done.length - 1 - place;
  const ahead = history.undone.findIndex((entry) => entry.id === id);
  return ahead >= 0 ? ahead - history.undone.length : history.done.length;
}

/** Cells whose text differs from what it was before the history began. */
export function differing(history: History): { row: RowId; column: string }[] {
  const first = new Map<string, CellChange>();
  for (const cell of history.done.flatMap((entry) => entry.cells)) {
    const key = `${cell.row} ${cell.column}`;
    first.set(key, { ...cell, before: first.get(key)?.before ?? cell.before });
  }
  return [...first.values()]
    .filter(({ before, after }) => before !== after)
    .map(({ row, column }) => ({ row, column }));
}

/** The same changes the other way round, the last one first. */
export function reversed(cells: readonly CellChange[]): CellChange[] {
  return cells.map((cell) => ({ ...cell, before: cell.after, after: cell.before })).reverse();
}

function changed(history: History, change: (entry: HistoryEntry) => HistoryEntry | null): History {
  const each = (entries: readonly HistoryEntry[]) => entries.flatMap((one) => change(one) ?? []);
  return { done: each(history.done), undone: each(history.undone) };
}
