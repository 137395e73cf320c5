/** What the parts of a table's editor ask of the whole. */
import type { Column, RowId } from "../column";
import type { CellStates } from "./cells";
import type { Desk } from "./desk";
import type { WaitsFor } from "./line";
import type { Call, CellMark, SyncKind } from "./model";
import type { FailedRow } from "./operations";
import type { RowTurns } from "./turns";

export type EditorCore<Row extends object> = {
  readonly desk: Desk<Row>;
  readonly cells: CellStates<Row>;
  /** Draws what changed. */
  changed: () => void;
  columnOf: (id: string) => Column<Row> | undefined;
  /** The newest state known of a row. */
  rowOf: (id: RowId) => Row | undefined;
  rowsOf: (ids: readonly RowId[]) => Map<RowId, Row>;
  nameOf: (id: RowId) => string;
  saveOne: (row: Row, changes: Partial<Row>, call: Call) => Promise<Row>;
  /** Rows as they are stored now. */
  store: (rows: readonly Row[]) => void;
  /** A cell's text is stored, or was refused. */
  accepted: (id: RowId, column: string) => void;
  /** `mark`: what the cell shows of it; null where a newer text is on its way. */
  refused: (id: RowId, column: string, text: string, mark: CellMark | null) => void;
  /** A text was stored, as the row now says: perhaps in other words. */
  restate: (id: RowId, column: string, text: string, row: Row) => void;
  /** The sync log. */
  begin: (kind: SyncKind, label: string, rows: number) => number;
  advance: (operation: number, rows: readonly RowId[], to: number) => void;
  wait: (operation: number, waitsFor: WaitsFor) => void;
  end: (operation: number, failed: readonly FailedRow[]) => void;
  /** Requests of one row follow one another. */
  readonly turns: RowTurns;
  /** Saves of single rows: those of `ids` go out at once. */
  readonly rowSaves: { hurry: (ids: readonly RowId[]) => void };
};

/** The row as it is now, of a refusal that says that it changed elsewhere. */
export function currentRow<Row>(error: unknown): Row | undefined {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: unknown };
  return code === "CONFLICT" && Array.isArray(data) ? (data[0] as Row | undefined) : undefined;
}
