/**
 * The editor of one table: changes show at once and are saved in the background. It is not part of
 * the grid, so that the history survives sorting, filtering and refetching.
 */
import type { History } from "@/shared/outbox/history";
import type { Column, RowId } from "../column";
import type { CellStates } from "./cells";
import { type Desk, nameOf, newer } from "./desk";
import type { BadCell, CellChange, GridStep } from "./model";
import { meaningOf } from "./plan";
import { RowActs } from "./rowActs";
import { type GridOperations, Saves } from "./saves";
import type { SyncOperation } from "./syncOperations";
import { TableRows } from "./tableRows";

export type Act = Pick<GridStep, "type" | "label">;

/** The dialog that is open beside the grid. */
export type Opened =
  | { kind: "history" }
  | { kind: "bulk" }
  /** Cells that cannot be changed, and those that can: apply, correct or cancel. */
  | { kind: "choice"; verb: string; good: readonly CellChange[]; bad: readonly BadCell[] }
  | { kind: "conflict"; row: RowId; column: string };

export class TableEditor<Row extends object> extends TableRows<Row> {
  readonly saves: Saves<Row> = new Saves<Row>(this);
  readonly rowActs: RowActs<Row> = new RowActs<Row>(this, this.saves);
  opened: Opened | null = null;
  /** Focuses a cell of the visible grid; false if it is not in its view. */
  goToCell: (row: RowId, column: string) => boolean = () => false;
  /** The rows and the column of the marked cell range. */
  rangeRows: () => Row[] = () => [];
  chosenColumn: () => string | undefined = () => undefined;

  get cells(): CellStates<Row> {
    return this.saves.cells;
  }

  get operations(): GridOperations<Row> {
    return this.saves.operations;
  }

  /** Whether its table is mounted or has been. */
  get hasTable(): boolean {
    return this.given !== null;
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

  override forget(): void {
    this.opened = null;
    super.forget();
  }

  open(opened: Opened | null): void {
    this.opened = opened;
    this.changed();
  }

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
    return this.saves.sync.operations;
  }

  /** Sends the failed rows of an operation once more. */
  retry(operation: number): void {
    const failed = this.saves.sync.takeFailed(operation, (row) => this.rowOf(row) !== undefined);
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
