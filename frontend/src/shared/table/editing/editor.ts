/**
 * The editor of one table: changes show at once and are saved in the background. It is not part of
 * the grid, so that the history survives sorting, filtering and refetching.
 */
import { dropped, type History, putBack, restated, trimmed } from "@/shared/outbox/history";
import type { WaitsFor } from "@/shared/outbox/reach";
import type { Cause } from "@/shared/outbox/steps";
import type { Column, RowId } from "../column";
import { CellStates } from "./cells";
import type { EditorCore, GridStep } from "./core";
import { type Desk, loadedRows, nameOf, newer, putLoaded } from "./desk";
import type { BadCell, CellChange, CellMark, SyncKind } from "./model";
import { meaningOf } from "./plan";
import { RowActs } from "./rowActs";
import { GridOperations, Saves } from "./saves";
import { SyncLog } from "./syncLog";
import type { FailedRow, SyncOperation } from "./syncOperations";

/** How long the tick of a saved cell is shown. */
const TICK_MS = 150;

export type Act = Pick<GridStep, "type" | "label">;

/** The dialog that is open beside the grid. */
export type Opened =
  | { kind: "history" }
  | { kind: "bulk" }
  /** Cells that cannot be changed, and those that can: apply, correct or cancel. */
  | { kind: "choice"; verb: string; good: readonly CellChange[]; bad: readonly BadCell[] }
  | { kind: "conflict"; row: RowId; column: string };

export class TableEditor<Row extends object> implements EditorCore<Row> {
  readonly cells = new CellStates<Row>();
  readonly saves: Saves<Row> = new Saves<Row>(this);
  readonly operations: GridOperations<Row>;
  readonly rowActs = new RowActs<Row>(this);
  private readonly sync: SyncLog;
  /** The last event, for screen readers. */
  said = "";
  opened: Opened | null = null;
  /** Focuses a cell of the visible grid; false if it is not in its view. */
  goToCell: (row: RowId, column: string) => boolean = () => false;
  /** The rows and the column of the marked cell range. */
  rangeRows: () => Row[] = () => [];
  chosenColumn: () => string | undefined = () => undefined;
  /** Counts changes, to trigger renders. */
  version = 0;
  private given: Desk<Row> | null = null;
  private readonly known = new Map<RowId, Row>();
  private readonly causes = new Map<string, { cause: Cause<GridStep>; text: string }[]>();
  private readonly listeners = new Set<() => void>();
  /** Whether a grid shows it: what is refused meanwhile is told elsewhere. */
  isShown = false;

  constructor(readonly key: string) {
    this.operations = new GridOperations(`edits_${key}`, this.saves);
    this.sync = new SyncLog(
      key,
      () => this.nextId(),
      () => this.changed(),
    );
  }

  /** Whether its table is mounted or has been. */
  get hasTable(): boolean {
    return this.given !== null;
  }

  get desk(): Desk<Row> {
    if (!this.given) throw new Error("The editor has no table yet");
    return this.given;
  }

  /** The table's present props. Another query cache starts a new editor state. */
  attach(desk: Desk<Row>): void {
    if (this.given && this.given.queryClient !== desk.queryClient) this.reset();
    this.given = desk;
    this.saves.attach();
  }

  /** Its grid is gone, and it is dropped: what is unsent is the outbox's. */
  detach(): void {
    this.saves.detach();
  }

  isAttached(queryClient: unknown): boolean {
    return this.given?.queryClient === queryClient;
  }

  reset(): void {
    this.operations.forget();
  }

  readonly forget = (): void => {
    this.cells.clear();
    this.known.clear();
    this.causes.clear();
    this.sync.reset();
    this.opened = null;
    this.changed();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly changed = (): void => {
    this.version += 1;
    for (const listener of this.listeners) listener();
  };

  readonly say = (text: string): void => {
    this.said = text;
    this.changed();
  };

  open(opened: Opened | null): void {
    this.opened = opened;
    this.changed();
  }

  readonly nextId = (): number => this.operations.nextId();

  // --- rows and columns

  readonly columnOf = (id: string): Column<Row> | undefined =>
    this.desk.columns.find((column) => column.id === id);

  readonly rowsOf = (ids: readonly RowId[]): Map<RowId, Row> => {
    const rows = loadedRows(this.desk, new Set(ids));
    for (const id of ids) {
      const known = this.known.get(id);
      const loaded = rows.get(id);
      if (known) rows.set(id, loaded ? newer(known, loaded) : known);
    }
    return rows;
  };

  readonly rowOf = (id: RowId): Row | undefined => this.rowsOf([id]).get(id);

  readonly nameOf = (id: RowId): string => {
    const row = this.known.get(id) ?? this.rowOf(id);
    return row ? nameOf(this.desk, row) : `row ${id}`;
  };

  readonly know = (rows: Iterable<Row>): void => {
    for (const row of rows) {
      const id = this.desk.idOf(row);
      this.known.set(id, newer(this.known.get(id), row));
    }
  };

  readonly store = (rows: readonly Row[]): void => {
    this.know(rows);
    putLoaded(this.desk, new Map(rows.map((row) => [this.desk.idOf(row), row])));
  };

  // --- the state of cells

  /** A list that was requested before a save must not show older values after it. */
  readonly shown = (id: RowId, row: Row): Row => {
    const known = this.known.get(id);
    return this.cells.shown(id, known ? newer(known, row) : row, this.desk.columns);
  };

  /** Whether the page alone holds what was typed: it is refused, or is being kept. */
  get isNeeded(): boolean {
    return this.cells.wrong().length > 0 || this.saves.isKeeping;
  }

  // --- acts

  /** Takes the text typed into a cell: refuses it at the cell, or shows it at once and saves it. */
  commit(id: RowId, row: Row, column: Column<Row>, text: string): void {
    const { edit } = column;
    if (!edit) return;
    if (this.saves.isLeaving(id)) {
      this.say(`${nameOf(this.desk, row)} is being deleted.`);
      return;
    }
    this.know([row]);
    const shown = this.shown(id, row);
    const before = edit.value(shown);
    const meaning = text === before ? { text } : meaningOf(column, shown, text);
    if ("reason" in meaning) {
      this.cells.mark(id, column.id, { state: "error", message: meaning.reason, text });
      this.say(`${column.header}: ${meaning.reason}`);
    } else if (meaning.text === before) {
      // The text equals the stored one again: no error remains.
      if (this.cells.marksOf(id)?.[column.id]?.state === "error") this.letGo(id, column.id);
    } else {
      const from = before || "empty";
      const label = `${column.header} of ${nameOf(this.desk, row)}: ${from} → ${meaning.text || "empty"}`;
      const cell = { row: id, column: column.id, before, after: meaning.text };
      void this.change([cell], { type: "cell-edit", label });
    }
  }

  /** Makes planned changes as one step of the history. Resolves with the server's refusals. */
  async change(
    asked: readonly CellChange[],
    act: Act,
    options: { atomic?: boolean } = {},
  ): Promise<BadCell[]> {
    const changes = asked.filter(({ row }) => !this.saves.isLeaving(row));
    if (changes.length === 0) return [];
    const step = await this.operations.do({ ...act, ...options, changes });
    return this.saves.takeOutcome(step.id).refused;
  }

  get history(): History<GridStep> {
    return this.operations.history;
  }

  /** Undoes the last step. Resolves with true if there was one and it was undone. */
  undo(): Promise<boolean> {
    return this.operations.undo();
  }

  redo(): Promise<boolean> {
    return this.operations.redo();
  }

  /** Undoes or redoes to the state right after a step. An unknown one means the first state. */
  goTo(id: number): Promise<void> {
    return this.operations.goTo(id);
  }

  readonly record = (step: Omit<GridStep, "id" | "at">): GridStep => this.operations.record(step);

  readonly recordCreated = (rows: readonly Row[]): GridStep => this.rowActs.recordCreated(rows);

  readonly forgetStep = (id: number): void => {
    this.operations.history = dropped(this.history, id);
  };

  // --- results

  readonly blame = (
    { row, column, after }: Pick<CellChange, "row" | "column" | "after">,
    cause: Cause<GridStep>,
  ): void => {
    const key = `${row} ${column}`;
    const causes = this.causes.get(key) ?? [];
    if (causes.some((one) => one.cause === cause)) return;
    this.causes.set(key, [...causes, { cause, text: after }]);
  };

  readonly accepted = (id: RowId, column: string): void => {
    this.causes.delete(`${id} ${column}`);
    this.cells.mark(id, column, { state: "saved" });
    setTimeout(() => {
      if (this.cells.marksOf(id)?.[column]?.state !== "saved") return;
      this.cells.mark(id, column, null);
      this.changed();
    }, TICK_MS);
  };

  readonly restate = ({ row, column, after }: CellChange, stored: string): void => {
    this.operations.history = restated(
      this.history,
      (cell: CellChange) => cell.row === row && cell.column === column,
      (text) => (text === after ? stored : text),
    );
  };

  readonly refused = (id: RowId, column: string, text: string, mark: CellMark | null): void => {
    const isIt = (cell: CellChange) => cell.row === id && cell.column === column;
    const key = `${id} ${column}`;
    const causes = this.causes.get(key) ?? [];
    for (const { cause } of causes.filter((one) => one.text === text)) {
      const { step, from } = cause;
      const less = trimmed(this.history, step.id, isIt);
      const isGone = ![...less.done, ...less.undone].some((one) => one.id === step.id);
      // Nothing was undone: the step can still be undone.
      this.operations.history = isGone && from ? putBack(this.history, step, from) : less;
    }
    const left = causes.filter((one) => one.text !== text);
    if (left.length) this.causes.set(key, left);
    else this.causes.delete(key);
    if (!mark) return;
    this.cells.mark(id, column, mark);
    if (mark.state === "conflict") this.say(`${this.nameOf(id)} was changed elsewhere.`);
    else if (mark.state === "error") this.say(`${this.nameOf(id)}: ${mark.message}`);
  };

  /** Resolves a conflict: saves the person's value over the current one. */
  readonly keepMine = (id: RowId, column: string): void => {
    const mark = this.cells.marksOf(id)?.[column];
    const row = this.rowOf(id);
    const target = this.columnOf(column);
    if (mark?.state !== "conflict" || !row || !target) return;
    this.cells.mark(id, column, null);
    this.commit(id, row, target, mark.mine);
  };

  /** Resolves a conflict or an error: keeps the stored value. */
  readonly letGo = (id: RowId, column: string): void => {
    this.cells.mark(id, column, null);
    this.saves.discardRefused(id, column);
    this.changed();
  };

  // --- the sync log

  get log(): readonly SyncOperation[] {
    return this.sync.operations;
  }

  readonly begin = (kind: SyncKind, label: string, rows: number): number =>
    this.sync.begin(kind, label, rows);

  readonly advance = (operation: number, rows: readonly RowId[], to: number): void =>
    this.sync.advance(operation, rows, to);

  readonly wait = (operation: number, waitsFor: WaitsFor): void => {
    this.sync.wait(operation);
    this.say(
      waitsFor === "line"
        ? "No connection: the change waits and is sent when it is back."
        : "Your session has ended: the change is sent when you have signed in again.",
    );
  };

  readonly end = (operation: number, failed: readonly FailedRow[]): void => {
    this.sync.end(operation, failed);
    if (failed.length === 0) this.desk.onEdited?.();
  };

  /** Sends the failed rows of an operation once more. */
  retry(operation: number): void {
    const failed = this.sync.takeFailed(operation, (row) => this.rowOf(row) !== undefined);
    if (failed.length === 0) {
      this.say("These rows are not loaded: look for them first.");
      return;
    }
    const again = failed.flatMap(({ cells }) =>
      cells.flatMap((cell) => {
        const before = this.saves.textNow(cell.row, cell.column);
        return before === undefined || before === cell.after ? [] : [{ ...cell, before }];
      }),
    );
    const label = `Try ${failed.length === 1 ? failed[0]?.name : `${failed.length} rows`} again`;
    void this.change(again, { type: failed.length > 1 ? "bulk-edit" : "cell-edit", label });
  }
}
