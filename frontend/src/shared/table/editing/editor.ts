/**
 * The editor of one table: changes show at once and are saved in the background. It is not part of
 * the grid, so that the history survives sorting, filtering and refetching.
 */
import { counted } from "@/shared/lib/format";
import type { WaitsFor } from "@/shared/outbox/reach";
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
  restated,
  reversed,
  stepsTo,
  trimmed,
  undone,
} from "./history";

import type { ActionType, BadCell, Call, CellChange, CellMark, SyncKind } from "./model";
import type { FailedRow, Operation } from "./operations";
import { meaningOf } from "./plan";
import { RowActs } from "./rowActs";
import { RowSaves } from "./rowSaves";
import { SyncLog } from "./syncLog";
import { RowTurns } from "./turns";

/** How long the tick of a saved cell is shown. */
const TICK_MS = 150;

/**
 * Why a cell is being saved: the act, and for undo or redo the place of its entry in the history.
 */
type Cause = { entry: HistoryEntry; from: "done" | "undone" | null };

export type Act = { type: ActionType; label: string };

/** A row as it was known when it was edited, with its unsaved texts by column. */
export type UnsavedRow<Row> = { row: Row; texts: readonly (readonly [string, string])[] };

/** The dialog that is open beside the grid. */
export type Opened =
  | { kind: "history" }
  | { kind: "bulk" }
  /** Cells that cannot be changed, and those that can: apply, correct or cancel. */
  | { kind: "choice"; verb: string; good: readonly CellChange[]; bad: readonly BadCell[] }
  | { kind: "conflict"; row: RowId; column: string };

export class TableEditor<Row extends object> implements EditorCore<Row> {
  readonly cells = new CellStates<Row>();
  turns = new RowTurns();
  readonly rowSaves: RowSaves<Row> = new RowSaves<Row>(this);
  readonly rowActs = new RowActs<Row>(this);
  history: History = emptyHistory;
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
  private readonly causes = new Map<string, { cause: Cause; text: string }[]>();
  private readonly listeners = new Set<() => void>();
  private chain: Promise<unknown> = Promise.resolve();
  /** The undo or redo that is running. The next one waits for its answer. */
  private step: Promise<unknown> | null = null;
  private count = 0;

  constructor(key: string) {
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
  }

  isAttached(queryClient: unknown): boolean {
    return this.given?.queryClient === queryClient;
  }

  reset(): void {
    this.cells.clear();
    this.known.clear();
    this.causes.clear();
    this.rowSaves.forget();
    this.turns = new RowTurns();
    this.chain = Promise.resolve();
    this.step = null;
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

  /** Keeps rows for the time when they are no longer loaded. */
  know(rows: Iterable<Row>): void {
    for (const row of rows) {
      const id = this.desk.idOf(row);
      this.known.set(id, newer(this.known.get(id), row));
    }
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

  // --- the state of cells

  /** A list that was requested before a save must not show older values after it. */
  readonly shown = (id: RowId, row: Row): Row => {
    const known = this.known.get(id);
    return this.cells.shown(id, known ? newer(known, row) : row, this.desk.columns);
  };

  private textNow(id: RowId, column: string): string | undefined {
    const pending = this.cells.textsOf(id)?.get(column);
    if (pending !== undefined) return pending;
    const row = this.rowOf(id);
    return row && this.columnOf(column)?.edit?.value(row);
  }

  /** Whether any change of this person is unsaved: being sent, refused, or in conflict. */
  get unsent(): boolean {
    return this.cells.unsaved || this.rowActs.underway || this.step !== null || this.turns.isBusy;
  }

  /** The edits that no answer has settled. */
  unsaved(): UnsavedRow<Row>[] {
    return this.cells.unsavedTexts().flatMap(([id, texts]) => {
      const row = this.known.get(id);
      return row ? [{ row, texts: [...texts] }] : [];
    });
  }

  // --- acts

  /** Sends edits from before a reload. Those that were stored by then are left out. */
  async resume(unsaved: readonly UnsavedRow<Row>[]): Promise<void> {
    this.know(unsaved.map(({ row }) => row));
    const cells = unsaved.flatMap(({ row, texts }) => {
      const id = this.desk.idOf(row);
      return texts.flatMap(([column, after]) => {
        const before = this.columnOf(column)?.edit?.value(row);
        if (before === undefined || this.textNow(id, column) === after) return [];
        return [{ row: id, column, before, after }];
      });
    });
    if (cells.length === 0) return;
    const label = `${counted(cells.length, "edit")} from before the reload`;
    const entry = this.record({ type: "bulk-edit", label }, [], cells);
    this.say(`Sent again: ${label}`);
    await this.replay(cells, { entry, from: null });
  }

  /** Takes the text typed into a cell: refuses it at the cell, or shows it at once and saves it. */
  commit(id: RowId, row: Row, column: Column<Row>, text: string): void {
    const { edit } = column;
    if (!edit) return;
    if (this.rowActs.isLeaving(id)) {
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
  change(
    asked: readonly CellChange[],
    act: Act,
    options: { atomic?: boolean } = {},
  ): Promise<BadCell[]> {
    const cells = asked.filter(({ row }) => !this.rowActs.isLeaving(row));
    if (cells.length === 0) return Promise.resolve([]);
    const entry = { id: this.nextId(), at: Date.now(), ...act, cells, rows: [] };
    this.history = recorded(this.history, entry);
    return this.perform(cells, { entry, from: null }, options.atomic ?? false);
  }

  record(
    act: Act & Pick<HistoryEntry, "takeBack">,
    rows: HistoryEntry["rows"],
    cells: HistoryEntry["cells"] = [],
  ): HistoryEntry {
    const entry = { id: this.nextId(), at: Date.now(), ...act, cells, rows };
    this.history = recorded(this.history, entry);
    return entry;
  }

  /** Undoes the last step. Resolves with true if there was one and it was undone. */
  undo(): Promise<boolean> {
    return this.inSteps(async () => {
      const step = undone(this.history);
      if (!step) {
        this.say("Nothing to undo.");
        return false;
      }
      this.history = step.history;
      this.say(`Undone: ${step.entry.label}`);
      if (step.entry.takeBack) await this.inTurn(() => this.rowActs.takeBack(step.entry));
      else if (step.entry.rows.length) {
        await this.inTurn(() => this.rowActs.replay(step.entry, "done"));
      } else await this.replay(reversed(step.entry.cells), { entry: step.entry, from: "done" });
      return !this.history.done.some(({ id }) => id === step.entry.id);
    });
  }

  redo(): Promise<boolean> {
    return this.inSteps(async () => {
      const step = redone(this.history);
      if (!step) {
        this.say("Nothing to redo.");
        return false;
      }
      this.history = step.history;
      this.say(`Done again: ${step.entry.label}`);
      if (step.entry.rows.length) {
        await this.inTurn(() => this.rowActs.replay(step.entry, "undone"));
      } else await this.replay(step.entry.cells, { entry: step.entry, from: "undone" });
      return !this.history.undone.some(({ id }) => id === step.entry.id);
    });
  }

  /** Undoes or redoes to the state right after an entry. An unknown entry means the first state. */
  async goTo(id: number): Promise<void> {
    await this.step;
    const steps = stepsTo(this.history, id);
    for (let left = Math.abs(steps); left > 0; left -= 1) {
      if (!(await (steps > 0 ? this.undo() : this.redo()))) return;
    }
  }

  /**
   * Each undo and redo waits for the answer of the one before, and for rows that are being deleted
   * or created, because it starts from their results.
   */
  private inSteps(work: () => Promise<boolean>): Promise<boolean> {
    const rows = () => (this.rowActs.underway ? this.chain : undefined);
    const before = this.step ?? rows();
    const next = before ? before.then(rows).then(work) : work();
    const step: Promise<unknown> = next
      .catch(() => undefined)
      .then(() => {
        if (this.step === step) this.step = null;
        this.changed();
      });
    this.step = step;
    return next;
  }

  /** Undo and redo check the current values: a different value was changed elsewhere. */
  private async replay(cells: readonly CellChange[], cause: Cause): Promise<void> {
    const rows = this.rowsOf([...new Set(cells.map(({ row }) => row))]);
    const fit: CellChange[] = [];
    for (const cell of cells) {
      const column = this.columnOf(cell.column);
      const row = rows.get(cell.row);
      const refusal = column?.edit?.check?.(cell.after);
      const pending = this.cells.textsOf(cell.row)?.get(cell.column);
      this.blame(cell, cause);
      if (!row || !column?.edit || this.rowActs.isLeaving(cell.row)) {
        const message = "This cell is not there any more.";
        this.refused(cell.row, cell.column, cell.after, errorOf(message, cell.after));
      } else if (refusal) {
        this.refused(cell.row, cell.column, cell.after, errorOf(refusal, cell.after));
      } else if ((pending ?? column.edit.value(row)) !== cell.before) {
        const mark = { state: "conflict", mine: cell.after } as const;
        this.refused(cell.row, cell.column, cell.after, mark);
      } else fit.push(cell);
    }
    this.changed();
    await this.perform(fit, cause, false);
    await this.rowSaves.settle([...rows.keys()]);
  }

  /** Shows changes at once and sends them: one row alone, many rows in one request. */
  private perform(cells: readonly CellChange[], cause: Cause, atomic: boolean): Promise<BadCell[]> {
    const ids = [...new Set(cells.map(({ row }) => row))];
    const rows = this.rowsOf(ids);
    this.know(rows.values());
    if (ids.length > 1) this.rowSaves.hurry(ids);
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
    const free = this.cells.claim(cells);
    return this.inTurn(() => this.saveTogether(cells, ids, cause, atomic, free));
  }

  private async saveTogether(
    cells: readonly CellChange[],
    ids: readonly RowId[],
    cause: Cause,
    atomic: boolean,
    free: () => void,
  ): Promise<BadCell[]> {
    return this.turns.take(ids, () => this.saveHeld(cells, ids, cause, atomic, free));
  }

  private async saveHeld(
    cells: readonly CellChange[],
    ids: readonly RowId[],
    cause: Cause,
    atomic: boolean,
    free: () => void,
  ): Promise<BadCell[]> {
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
      free();
      // The person has typed into these cells meanwhile.
      for (const id of ids) if (this.cells.freeTextsOf(id).length) this.rowSaves.schedule(id);
      this.changed();
    }
  }

  /** One after the other: each starts from the result of the one before. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.chain.then(work);
    this.chain = next.catch(() => undefined);
    return next;
  }

  // --- results

  private blame({ row, column, after }: CellChange, cause: Cause): void {
    const key = `${row} ${column}`;
    const causes = this.causes.get(key) ?? [];
    if (causes.some((one) => one.cause === cause)) return;
    this.causes.set(key, [...causes, { cause, text: after }]);
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

  readonly restate = (id: RowId, column: string, text: string, row: Row): void => {
    const stored = this.columnOf(column)?.edit?.value(row);
    if (stored === undefined || stored === text) return;
    this.history = restated(this.history, { row: id, column, before: text, after: stored });
  };

  readonly refused = (id: RowId, column: string, text: string, mark: CellMark | null): void => {
    const isIt = (cell: CellChange) => cell.row === id && cell.column === column;
    const key = `${id} ${column}`;
    const causes = this.causes.get(key) ?? [];
    for (const { cause } of causes.filter((one) => one.text === text)) {
      const { entry, from } = cause;
      const less = trimmed(this.history, entry.id, isIt);
      const isGone = ![...less.done, ...less.undone].some((one) => one.id === entry.id);
      // Nothing was undone: the entry can still be undone.
      this.history = isGone && from ? putBack(this.history, entry, from) : less;
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

const errorOf = (message: string, text: string): CellMark => ({ state: "error", message, text });
