/**
 * The editor of one table: what is changed shows at once and is saved behind. It lives outside the
 * grid, so that the history outlasts sorting, filtering, fetching again and leaving the page.
 */
import type { Column, RowId } from "../column";
import { saveMany } from "./bulkSaves";
import { CellStates } from "./cells";
import type { EditorCore } from "./core";
import { type Desk, loadedRows, nameOf, newer, putLoaded, refetch } from "./desk";
import {
  dropped,
  emptyHistory,
  type History,
  type HistoryEntry,
  putBack,
  recorded,
  redone,
  reversed,
  stepsTo,
  trimmed,
  undone,
} from "./history";
import type { WaitsFor } from "./line";
import type { ActionType, BadCell, Call, CellChange, CellMark, SyncKind } from "./model";
import type { FailedRow, Operation } from "./operations";
import { meaningOf } from "./plan";
import { RowActs } from "./rowActs";
import { RowSaves } from "./rowSaves";
import { SyncLog } from "./syncLog";

/** How long the tick of a stored cell stays. */
const TICK_MS = 150;

/** Why a cell is on its way: the act, and for undoing or redoing where its entry was taken from. */
type Cause = { entry: HistoryEntry; from: "done" | "undone" | null };

export type Act = { type: ActionType; label: string };

/** What is asked or shown beside the grid. */
export type Opened =
  | { kind: "history" }
  | { kind: "bulk" }
  /** Cells that cannot be changed as they are, and those that can: apply, mend or leave. */
  | { kind: "choice"; verb: string; good: readonly CellChange[]; bad: readonly BadCell[] }
  | { kind: "conflict"; row: RowId; column: string };

export class TableEditor<Row extends object> implements EditorCore<Row> {
  readonly cells = new CellStates<Row>();
  rowSaves = new RowSaves<Row>(this);
  readonly rowActs = new RowActs<Row>(this);
  history: History = emptyHistory;
  private readonly sync: SyncLog;
  /** The last thing that happened, for people who do not see it. */
  said = "";
  opened: Opened | null = null;
  /** Goes to a cell of the grid that is drawn; false where it is not in its view. */
  goToCell: (row: RowId, column: string) => boolean = () => false;
  /** The rows and the column that a range of cells is marked in. */
  rangeRows: () => Row[] = () => [];
  chosenColumn: () => string | undefined = () => undefined;
  /** Counts changes, for drawing. */
  version = 0;
  private given: Desk<Row> | null = null;
  private readonly known = new Map<RowId, Row>();
  private readonly causes = new Map<string, Cause[]>();
  private readonly held = new Map<RowId, Promise<void>>();
  private readonly listeners = new Set<() => void>();
  private chain: Promise<unknown> = Promise.resolve();
  private count = 0;

  constructor(key: string) {
    this.sync = new SyncLog(
      key,
      () => this.nextId(),
      () => this.changed(),
    );
  }

  get desk(): Desk<Row> {
    if (!this.given) throw new Error("The editor has no table yet");
    return this.given;
  }

  /** The table as it is drawn now. Another cache is another life: nothing is taken over. */
  attach(desk: Desk<Row>): void {
    if (this.given && this.given.queryClient !== desk.queryClient) this.reset();
    this.given = desk;
  }

  isAttached(queryClient: unknown): boolean {
    return this.given?.queryClient === queryClient;
  }

  reset(): void {
    this.cells.clear();
    this.known.clear();
    this.causes.clear();
    this.held.clear();
    this.rowSaves = new RowSaves<Row>(this);
    this.chain = Promise.resolve();
    this.history = emptyHistory;
    this.sync.reset();
    this.opened = null;
    this.changed();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly changed = (): void => {
    this.version += 1;
    for (const listener of this.listeners) listener();
  };

  say(text: string): void {
    this.said = text;
    this.changed();
  }

  open(opened: Opened | null): void {
    this.opened = opened;
    this.changed();
  }

  nextId(): number {
    this.count += 1;
    return this.count;
  }

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

  /** Keeps rows for when they are not loaded any more. */
  know(rows: Iterable<Row>): void {
    for (const row of rows) this.known.set(this.desk.idOf(row), row);
  }

  readonly saveOne = async (row: Row, changes: Partial<Row>, call: Call): Promise<Row> => {
    const { save, saveRows } = this.desk;
    if (save) return save(row, changes, call);
    const request = { update: [{ row, changes }], atomic: true };
    const [outcome] = (await saveRows?.(request, call)) ?? [];
    if (outcome?.ok && outcome.row) return outcome.row;
    throw Object.assign(new Error(outcome?.message ?? "Not saved."), { code: outcome?.code });
  };

  readonly store = (rows: readonly Row[]): void => {
    this.know(rows);
    putLoaded(this.desk, new Map(rows.map((row) => [this.desk.idOf(row), row])));
  };

  // --- what cells show

  readonly shown = (id: RowId, row: Row): Row => this.cells.shown(id, row, this.desk.columns);

  private textNow(id: RowId, column: string): string | undefined {
    const pending = this.cells.textsOf(id)?.get(column);
    if (pending !== undefined) return pending;
    const row = this.rowOf(id);
    return row && this.columnOf(column)?.edit?.value(row);
  }

  // --- acts

  /** Takes what was typed into a cell: refused beside it, or shown at once and saved behind. */
  commit(id: RowId, row: Row, column: Column<Row>, text: string): void {
    const { edit } = column;
    if (!edit) return;
    this.know([row]);
    const shown = this.shown(id, row);
    const before = edit.value(shown);
    const meaning = text === before ? { text } : meaningOf(column, shown, text);
    if ("reason" in meaning) {
      this.cells.mark(id, column.id, { state: "error", message: meaning.reason, text });
      this.say(`${column.header}: ${meaning.reason}`);
    } else if (meaning.text === before) {
      // Back to what it was: nothing is wrong any more.
      if (this.cells.marksOf(id)?.[column.id]?.state === "error") this.letGo(id, column.id);
    } else {
      const from = before || "empty";
      const label = `${column.header} of ${nameOf(this.desk, row)}: ${from} → ${meaning.text || "empty"}`;
      const cell = { row: id, column: column.id, before, after: meaning.text };
      void this.change([cell], { type: "cell-edit", label });
    }
  }

  /** Makes planned changes, as one step of the history. Resolves with what the server refused. */
  change(
    cells: readonly CellChange[],
    act: Act,
    options: { atomic?: boolean } = {},
  ): Promise<BadCell[]> {
    if (cells.length === 0) return Promise.resolve([]);
    const entry = { id: this.nextId(), at: Date.now(), ...act, cells, rows: [] };
    this.history = recorded(this.history, entry);
    return this.perform(cells, { entry, from: null }, options.atomic ?? false);
  }

  record(act: Act, rows: HistoryEntry["rows"]): HistoryEntry {
    const entry = { id: this.nextId(), at: Date.now(), ...act, cells: [], rows };
    this.history = recorded(this.history, entry);
    return entry;
  }

  undo(): Promise<unknown> {
    const step = undone(this.history);
    if (!step) return Promise.resolve(this.say("Nothing to undo."));
    this.history = step.history;
    this.say(`Undone: ${step.entry.label}`);
    if (step.entry.rows.length) return this.inTurn(() => this.rowActs.replay(step.entry, "done"));
    return this.replay(reversed(step.entry.cells), { entry: step.entry, from: "done" });
  }

  redo(): Promise<unknown> {
    const step = redone(this.history);
    if (!step) return Promise.resolve(this.say("Nothing to redo."));
    this.history = step.history;
    this.say(`Done again: ${step.entry.label}`);
    if (step.entry.rows.length) return this.inTurn(() => this.rowActs.replay(step.entry, "undone"));
    return this.replay(step.entry.cells, { entry: step.entry, from: "undone" });
  }

  /** Back (or forward) to the state right after an entry; one that is unknown is before the first. */
  async goTo(id: number): Promise<void> {
    const steps = stepsTo(this.history, id);
    const all = Array.from({ length: Math.abs(steps) }, () =>
      steps > 0 ? this.undo() : this.redo(),
    );
    await Promise.all(all);
  }

  /** Undoes and redoes check again what is there by now: what differs was changed elsewhere. */
  private replay(cells: readonly CellChange[], cause: Cause): Promise<BadCell[]> {
    const rows = this.rowsOf([...new Set(cells.map(({ row }) => row))]);
    const fit: CellChange[] = [];
    for (const cell of cells) {
      const column = this.columnOf(cell.column);
      const row = rows.get(cell.row);
      const refusal = column?.edit?.check?.(cell.after);
      const pending = this.cells.textsOf(cell.row)?.get(cell.column);
      this.blame(cell, cause);
      if (!row || !column?.edit) {
        const message = "This cell is not there any more.";
        this.refused(cell.row, cell.column, { state: "error", message, text: cell.after });
      } else if (refusal) {
        this.refused(cell.row, cell.column, { state: "error", message: refusal, text: cell.after });
      } else if ((pending ?? column.edit.value(row)) !== cell.before) {
        this.refused(cell.row, cell.column, { state: "conflict", mine: cell.after });
      } else fit.push(cell);
    }
    return this.perform(fit, cause, false);
  }

  /** Shows changes at once and brings them to the server: one row by itself, many in one request. */
  private perform(cells: readonly CellChange[], cause: Cause, atomic: boolean): Promise<BadCell[]> {
    const ids = [...new Set(cells.map(({ row }) => row))];
    const rows = this.rowsOf(ids);
    this.know(rows.values());
    for (const cell of cells) {
      this.cells.setText(cell.row, cell.column, cell.after);
      this.cells.mark(cell.row, cell.column, { state: "pending" });
      this.blame(cell, cause);
    }
    this.changed();
    const [only] = ids;
    if (only === undefined) return Promise.resolve([]);
    if (ids.length === 1) {
      this.rowSaves.schedule(only);
      return Promise.resolve([]);
    }
    return this.inTurn(() => this.saveTogether(cells, ids, cause, atomic));
  }

  private async saveTogether(
    cells: readonly CellChange[],
    ids: readonly RowId[],
    cause: Cause,
    atomic: boolean,
  ): Promise<BadCell[]> {
    await this.rowSaves.settle(ids);
    let release = (): void => undefined;
    const busy = new Promise<void>((resolve) => {
      release = resolve;
    });
    for (const id of ids) this.held.set(id, busy);
    const verb = cause.from === "done" ? "Undo: " : cause.from === "undone" ? "Redo: " : "";
    const operation = this.begin("bulk-update", `${verb}${cause.entry.label}`, ids.length);
    try {
      const { refused, failed } = await saveMany(this, cells, { operation, atomic });
      const took = atomic && refused.length > 0;
      if (took) this.history = dropped(this.history, cause.entry.id);
      this.end(operation, took ? [] : failed);
      if (failed.length && !took) refetch(this.desk);
      return refused;
    } finally {
      for (const id of ids) this.held.delete(id);
      release();
      this.changed();
    }
  }

  /** One after the other: each finds what the one before it left. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.chain.then(work);
    this.chain = next.catch(() => undefined);
    return next;
  }

  readonly released = async (id: RowId): Promise<void> => {
    for (let busy = this.held.get(id); busy; busy = this.held.get(id)) await busy;
  };

  // --- what came of it

  private blame({ row, column }: CellChange, cause: Cause): void {
    const key = `${row} ${column}`;
    const causes = this.causes.get(key) ?? [];
    if (!causes.includes(cause)) this.causes.set(key, [...causes, cause]);
  }

  readonly accepted = (id: RowId, column: string): void => {
    this.causes.delete(`${id} ${column}`);
    this.cells.mark(id, column, { state: "saved" });
    setTimeout(() => {
      if (this.cells.marksOf(id)?.[column]?.state !== "saved") return;
      this.cells.mark(id, column, null);
      this.changed();
    }, TICK_MS);
  };

  readonly refused = (id: RowId, column: string, mark: CellMark): void => {
    const isIt = (cell: CellChange) => cell.row === id && cell.column === column;
    for (const { entry, from } of this.causes.get(`${id} ${column}`) ?? []) {
      const less = trimmed(this.history, entry.id, isIt);
      const isGone = ![...less.done, ...less.undone].some((one) => one.id === entry.id);
      // Nothing of it could be undone: it is still to be undone.
      this.history = isGone && from ? putBack(this.history, entry, from) : less;
    }
    this.causes.delete(`${id} ${column}`);
    this.cells.mark(id, column, mark);
    if (mark.state === "conflict") this.say(`${this.nameOf(id)} was changed elsewhere.`);
    else if (mark.state === "error") this.say(`${this.nameOf(id)}: ${mark.message}`);
  };

  /** Of a conflict: what was meant, over what is there now. */
  readonly keepMine = (id: RowId, column: string): void => {
    const mark = this.cells.marksOf(id)?.[column];
    const row = this.rowOf(id);
    const target = this.columnOf(column);
    if (mark?.state !== "conflict" || !row || !target) return;
    this.cells.mark(id, column, null);
    this.commit(id, row, target, mark.mine);
  };

  /** Of a conflict or an error: what is stored stays. */
  readonly letGo = (id: RowId, column: string): void => {
    this.cells.mark(id, column, null);
    this.changed();
  };

  // --- the sync log

  get log(): readonly Operation[] {
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
        const before = this.textNow(cell.row, cell.column);
        return before === undefined || before === cell.after ? [] : [{ ...cell, before }];
      }),
    );
    const label = `Try ${failed.length === 1 ? failed[0]?.name : `${failed.length} rows`} again`;
    void this.change(again, { type: failed.length > 1 ? "bulk-edit" : "cell-edit", label });
  }
}
