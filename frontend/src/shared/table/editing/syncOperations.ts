/**
 * The sync log: operations sent to the server, their progress by row and in total, and refusals.
 * Pure.
 */
import type { RowId } from "../column";
import type { CellChange, SyncKind } from "./model";

/** The most operations in the log. */
const KEPT = 100;

export type FailedRow = {
  row: RowId;
  name: string;
  reason: string;
  /** The person's changes, for a retry. */
  cells: readonly CellChange[];
};

export type SyncOperation = {
  id: number;
  kind: SyncKind;
  label: string;
  at: number;
  state: "running" | "waiting" | "done" | "failed";
  /** Progress of sent and stored rows: 0 to 100 each. A missing row waits: 0. */
  progress: ReadonlyMap<RowId, number>;
  rows: number;
  failed: readonly FailedRow[];
};

/** A row's or an operation's progress: a number from 0 to 100. */
export function checkedProgress(value: number): number {
  if (!(value >= 0 && value <= 100)) throw new RangeError(`Progress is 0 to 100, not ${value}`);
  return value;
}

export function begun(
  log: readonly SyncOperation[],
  operation: Pick<SyncOperation, "id" | "kind" | "label" | "at" | "rows">,
): SyncOperation[] {
  const fresh: SyncOperation = { ...operation, state: "running", progress: new Map(), failed: [] };
  const all = [...log, fresh];
  // Operations that are running or have failed rows are kept longest.
  const over = all.length - KEPT;
  if (over <= 0) return all;
  const ended = all.filter(({ state }) => state === "done").slice(0, over);
  return all.filter((one) => !ended.includes(one));
}

export function changedOperation(
  log: readonly SyncOperation[],
  id: number,
  change: (operation: SyncOperation) => Partial<SyncOperation>,
): SyncOperation[] {
  return log.map((one) => (one.id === id ? { ...one, ...change(one) } : one));
}

/** Sets the progress of rows. */
export function advanced(operation: SyncOperation, rows: Iterable<RowId>, to: number) {
  const progress = new Map(operation.progress);
  for (const row of rows) progress.set(row, checkedProgress(to));
  return { progress };
}

/** The operation's progress: the mean of its rows, 0 to 100. */
export function progressOf(operation: SyncOperation): number {
  if (operation.rows === 0) return operation.state === "running" ? 0 : 100;
  let sum = 0;
  for (const value of operation.progress.values()) sum += value;
  return Math.floor(Math.min(100, sum / operation.rows));
}
