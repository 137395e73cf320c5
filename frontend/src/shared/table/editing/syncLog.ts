/** The sync log of a table: operations as they begin, go on, wait for the line and end. */
import type { RowId } from "../column";
import type { SyncKind } from "./model";
import { advanced, begun, changedOperation, type FailedRow, type Operation } from "./operations";

export class SyncLog {
  operations: readonly Operation[] = [];

  constructor(
    private readonly nextId: () => number,
    private readonly changed: () => void,
  ) {}

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
    this.change(operation, (one) => ({
      state: failed.length ? "failed" : "done",
      failed,
      ...(failed.length === 0 && one.rows === 1 && { progress: new Map([["", 100]]) }),
    }));
  }

  /** What an operation left undone, which is forgotten: it is tried again. */
  takeFailed(operation: number): readonly FailedRow[] {
    const failed = this.operations.find(({ id }) => id === operation)?.failed ?? [];
    this.change(operation, () => ({ state: "done", failed: [] }));
    return failed;
  }

  private change(id: number, change: (operation: Operation) => Partial<Operation>): void {
    this.operations = changedOperation(this.operations, id, change);
    this.changed();
  }
}
