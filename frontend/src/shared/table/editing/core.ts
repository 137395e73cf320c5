/** The interface that the parts of a table's editor use. */
import { memberOf, rowsWith } from "@/shared/lib/records";
import type { History, Step } from "@/shared/outbox/history";
import type { WaitsFor } from "@/shared/outbox/reach";
import type { Cause } from "@/shared/outbox/steps";
import type { Column, RowId } from "../column";
import type { CellStates } from "./cells";
import type { Desk } from "./desk";
import type { ActionType, CellChange, CellMark, SyncKind } from "./model";
import type { FailedRow } from "./syncOperations";

/** A step of a table's history. `atomic`: one refused row leaves all rows unchanged. */
export type GridStep = Step<CellChange> & { type: ActionType; atomic?: boolean };

export type EditorCore<Row extends object> = {
  readonly desk: Desk<Row>;
  readonly cells: CellStates<Row>;
  nextId: () => number;
  /** Renders the changes, and keeps what is unsaved. */
  changed: () => void;
  say: (text: string) => void;
  columnOf: (id: string) => Column<Row> | undefined;
  /** The newest known state of a row. */
  rowOf: (id: RowId) => Row | undefined;
  rowsOf: (ids: readonly RowId[]) => Map<RowId, Row>;
  nameOf: (id: RowId) => string;
  /** The name of its table, under which its requests are kept. */
  readonly key: string;
  /** Whether a grid shows it. */
  readonly isShown: boolean;
  /** Keeps rows for the time when they are no longer loaded. */
  know: (rows: Iterable<Row>) => void;
  /** Sets the stored state of rows. */
  store: (rows: readonly Row[]) => void;
  record: (step: Omit<GridStep, "id" | "at">) => GridStep;
  /** Records rows that exist now: undo deletes them. */
  recordCreated: (rows: readonly Row[]) => GridStep;
  readonly history: History<GridStep>;
  forgetStep: (id: number) => void;
  /** Notes why a cell is being saved. */
  blame: (cell: Pick<CellChange, "row" | "column" | "after">, cause: Cause<GridStep>) => void;
  /** Called when a cell's text was stored. */
  accepted: (id: RowId, column: string) => void;
  /** Called when it was refused. `mark`: the cell's new mark; null where there is none. */
  refused: (id: RowId, column: string, text: string, mark: CellMark | null) => void;
  /** Called when the server stored a text in another spelling. */
  restate: (cell: CellChange, stored: string) => void;
  /** The sync log. */
  begin: (kind: SyncKind, label: string, rows: number) => number;
  advance: (operation: number, rows: readonly RowId[], to: number) => void;
  wait: (operation: number, waitsFor: WaitsFor) => void;
  end: (operation: number, failed: readonly FailedRow[]) => void;
  forget: () => void;
};

/** The current row in a refusal that reports a conflict. */
export function currentRow<Row extends object>(error: unknown): Row | undefined {
  if (memberOf(error, "code") !== "CONFLICT") return undefined;
  return rowsWith<Row>(memberOf(error, "data"))[0];
}
