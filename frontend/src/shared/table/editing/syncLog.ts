/** The sync log of a table: operations that begin, progress, wait for a connection and end. */

import { getSetting, removeSetting, setSetting } from "@/shared/lib/localSettings";
import { PERSONAL } from "@/shared/lib/person";
import type { RowId } from "../column";
import type { SyncKind } from "./model";
import {
  advanced,
  begun,
  changedOperation,
  type FailedRow,
  type SyncOperation,
} from "./syncOperations";

/** The part of a log that survives a reload: operations with refused rows. */
const KEPT_FAILURES = 20;
const KEPT_ROWS = 200;

type Stored = Omit<SyncOperation, "progress">;

export class SyncLog {
  operations: readonly SyncOperation[];
  private readonly setting: string;

  constructor(
    table: string,
    private readonly nextId: () => number,
    private readonly changed: () => void,
  ) {
    this.setting = `${PERSONAL}syncLog_${table}`;
    const stored = getSetting<Stored[]>(this.setting) ?? [];
    this.operations = stored.map((one) => ({ ...one, id: nextId(), progress: new Map() }));
  }

  /** Another query cache starts an empty log. */
  reset(): void {
    this.operations = [];
  }

  private store(): void {
    const failed = this.operations.filter(({ state }) => state === "failed");
    const stored = failed
      .slice(-KEPT_FAILURES)
      .map(({ progress: _past, ...one }) => ({ ...one, failed: one.failed.slice(0, KEPT_ROWS) }));
    if (stored.length) setSetting(this.setting, stored);
    else removeSetting(this.setting);
  }

  begin(kind: SyncKind, label: string, rows: number): number {
    const id = this.nextId();
    this.operations = begun(this.operations, { id, kind, label, rows, at: Date.now() });
    this.changed();
    return id;
  }

  advance(operation: number, rows: readonly RowId[], to: number): void {
    this.change(operation, (one) => ({ ...advanced(one, rows, to), state: "running" }));
  }

  wait(operation: number): void {
    this.change(operation, () => ({ state: "waiting" }));
  }

  end(operation: number, failed: readonly FailedRow[]): void {
    this.change(operation, () => ({
      state: failed.length ? "failed" : "done",
      failed,
    }));
    this.store();
  }

  /** The rows of an operation that still exist and can be retried; the others stay refused. */
  takeFailed(operation: number, isThere: (row: RowId) => boolean): readonly FailedRow[] {
    const failed = this.operations.find(({ id }) => id === operation)?.failed ?? [];
    const left = failed.filter(({ row }) => !isThere(row));
    this.change(operation, () => ({ state: left.length ? "failed" : "done", failed: left }));
    this.store();
    return failed.filter(({ row }) => isThere(row));
  }

  private change(id: number, change: (operation: SyncOperation) => Partial<SyncOperation>): void {
    this.operations = changedOperation(this.operations, id, change);
    this.changed();
  }
}
