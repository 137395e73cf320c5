/** The steps that can be undone and redone. Pure: histories in, histories out; 50 steps at most. */
import type { RowId } from "../column";
import type { ActionType, CellChange } from "./model";

export const HISTORY_LIMIT = 50;

/** A row that was deleted or created, with the data that restores it. */
export type KeptRow = { id: RowId; name: string; draft: object | null };

export type HistoryEntry = {
  id: number;
  type: ActionType;
  /** Milliseconds since the epoch. */
  at: number;
  label: string;
  cells: readonly CellChange[];
  rows: readonly KeptRow[];
  /** An act that the server records. It is undone there and cannot be redone from here. */
  takeBack?: () => Promise<unknown>;
};

/** Oldest first. Undo takes the last of `done`, redo the last of `undone`. */
export type History = { done: readonly HistoryEntry[]; undone: readonly HistoryEntry[] };

export const emptyHistory: History = { done: [], undone: [] };

/** After a new act: redo is cleared, and the oldest step beyond the limit is dropped. */
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

/** Puts an entry back whose undo (or redo) failed. */
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

/** The entry without the changes that failed; removed when none remain. */
export function trimmed(history: History, id: number, failed: (cell: CellChange) => boolean) {
  return changed(history, (entry) => {
    if (entry.id !== id) return entry;
    const cells = entry.cells.filter((cell) => !failed(cell));
    return cells.length || entry.rows.length ? { ...entry, cells } : null;
  });
}

/** The server stored a text in another spelling: undo and redo then start from that. */
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

/** A restored row has a new id: entries of the old id are changed to it. */
export function renamed(history: History, ids: ReadonlyMap<RowId, RowId>): History {
  return changed(history, (entry) => ({
    ...entry,
    cells: entry.cells.map((cell) => ({ ...cell, row: ids.get(cell.row) ?? cell.row })),
    rows: entry.rows.map((row) => ({ ...row, id: ids.get(row.id) ?? row.id })),
  }));
}

/**
 * The number of undos (positive) or redos (negative) to the state right after an entry; for an
 * unknown entry, to the first state.
 */
export function stepsTo(history: History, id: number): number {
  const place = history.done.findIndex((entry) => entry.id === id);
  if (place >= 0) return history.done.length - 1 - place;
  const ahead = history.undone.findIndex((entry) => entry.id === id);
  return ahead >= 0 ? ahead - history.undone.length : history.done.length;
}

/** Cells whose text differs from the text before the history began. */
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

/** The inverse changes, the last one first. */
export function reversed(cells: readonly CellChange[]): CellChange[] {
  return cells.map((cell) => ({ ...cell, before: cell.after, after: cell.before })).reverse();
}

function changed(history: History, change: (entry: HistoryEntry) => HistoryEntry | null): History {
  const each = (entries: readonly HistoryEntry[]) => entries.flatMap((one) => change(one) ?? []);
  return { done: each(history.done), undone: each(history.undone) };
}
