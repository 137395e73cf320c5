/** The interface that the parts of a table's editor use. */
import type { WaitsFor } from "@/shared/outbox/reach";
import type { Column, RowId } from "../column";
import type { CellStates } from "./cells";
import type { Desk } from "./desk";

import type { Call, CellMark, SyncKind } from "./model";
import type { FailedRow } from "./operations";
import type { RowTurns } from "./turns";

export type EditorCore<Row extends object> = {
  readonly desk: Desk<Row>;
  readonly cells: CellStates<Row>;
  /** Renders the changes. */
  changed: () => void;
  columnOf: (id: string) => Column<Row> | undefined;
  /** The newest known state of a row. */
  rowOf: (id: RowId) => Row | undefined;
  rowsOf: (ids: readonly RowId[]) => Map<RowId, Row>;
  nameOf: (id: RowId) => string;
  saveOne: (row: Row, changes: Partial<Row>, call: Call) => Promise<Row>;
  /** Sets the stored state of rows. */
  store: (rows: readonly Row[]) => void;
  /** Called when a cell's text was stored or refused. */
  accepted: (id: RowId, column: string) => void;
  /** `mark`: the cell's new mark; null while a newer text is being sent. */
  refused: (id: RowId, column: string, text: string, mark: CellMark | null) => void;
  /** Called when a text was stored. The row may spell it differently. */
  restate: (id: RowId, column: string, text: string, row: Row) => void;
  /** The sync log. */
  begin: (kind: SyncKind, label: string, rows: number) => number;
  advance: (operation: number, rows: readonly RowId[], to: number) => void;
  wait: (operation: number, waitsFor: WaitsFor) => void;
  end: (operation: number, failed: readonly FailedRow[]) => void;
  /** Puts the requests of one row in order. */
  readonly turns: RowTurns;
  /** Sends the saves of single rows: those of `ids` at once. */
  readonly rowSaves: { hurry: (ids: readonly RowId[]) => void };
};

/** The current row in a refusal that reports a conflict. */
export function currentRow<Row>(error: unknown): Row | undefined {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: unknown };
  return code === "CONFLICT" && Array.isArray(data) ? (data[0] as Row | undefined) : undefined;
}
