/**
 * What a table's operations show and send. A change of one row is one request; changes of several
 * rows made together are one request of at most a thousand rows. Deleting a row, and bringing it
 * back, are changes of WHOLE_ROW.
 */
import { counted } from "@/shared/lib/format";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { problemFields, problemText } from "@/shared/lib/problem";
import { DEBOUNCE_MS } from "@/shared/lib/useDebounced";
import { dropped, lastChange, putBack, restated, trimmed } from "@/shared/outbox/history";
import type { Outcome as Answered, Refused, WaitsFor } from "@/shared/outbox/outbox";
import { type Cause, Steps, type StepsTold } from "@/shared/outbox/steps";
import { outbox } from "@/shared/outbox/theOutbox";
import { errorOf, type NewRequest, PARTLY, type Unsent } from "@/shared/outbox/unsent";
import { toast } from "@/shared/ui/toast";
import type { RowId } from "../column";
import { CellStates, changesOf } from "./cells";
import { refetch } from "./desk";
import {
  type BadCell,
  type BulkOutcome,
  type CellChange,
  type CellMark,
  GONE,
  type GridStep,
  presence,
  type SyncKind,
  THERE,
  WHOLE_ROW,
} from "./model";
import {
  BULK_ROWS,
  byRow,
  currentRow,
  type GridCall,
  outcomesOf,
  refusedOutcomes,
  wireOfCall,
} from "./requests";
import { SyncLog } from "./syncLog";
import type { FailedRow } from "./syncOperations";
import type { TableRows } from "./tableRows";

/** Rows that undo and redo need over a reload. */
export type Remembered<Row> = { rows: readonly Row[] };

/** What came of an operation of several rows. */
export type Outcome = { refused: BadCell[]; failed: FailedRow[] };

/** The requests of one operation: one entry of the sync log. */
type Run = Outcome & { log: number; kind: GridCall["kind"]; isTakenBack: boolean };
type Group = { label: string; step: number; atomic: boolean };
type Refusal = { code: string | null; reason: string };

/** How long the tick of a saved cell is shown. */
const TICK_MS = 150;

const NOT_THERE = "The row is not there any more.";

/** Rows to be sent; `group`: together, apart from the other changes of these rows. */
type Due = { rows: readonly RowId[]; group: string };
type Answer<Row> = { outcomes: BulkOutcome<Row>[]; error?: Refused };
type Pending<Row> = { answer: Promise<Answer<Row>>; take: (answer: Answer<Row>) => void };

export class Saves<Row extends object> implements StepsTold<GridStep, Remembered<Row>> {
  /** The requests that are not answered yet, of this tab and of others, in their order. */
  private posted: readonly GridCall[] = [];
  /** Those that are being put into the outbox. */
  private readonly keeping = new Set<string>();
  private readonly pending = new Map<string, Pending<Row>>();
  /** How their cells are marked. */
  private readonly states = new Map<string, string>();
  private readonly refusals = new Map<string, GridCall>();
  /** What the outbox had before this grid is not taken up yet. */
  private takesUp = false;
  private posting: Promise<unknown> = Promise.resolve();
  private stops: (() => void)[] = [];
  private readonly groups = new Map<string, Group>();
  /** By group; by row where a row is sent alone. */
  private readonly runs = new Map<string, Run>();
  private readonly outcomes = new Map<number, Outcome>();
  /** Rows that were deleted, and may still be on the screen. */
  private readonly gone = new Set<RowId>();

  /** The steps of the page before are in the history. */
  private hasRecalled = false;

  readonly cells = new CellStates<Row>();
  /** Its history. */
  readonly operations: GridOperations<Row>;
  readonly sync: SyncLog;
  /** Why a cell is being saved. */
  private readonly causes = new Map<string, { cause: Cause<GridStep>; text: string }[]>();

  constructor(private readonly table: TableRows<Row>) {
    const { key } = table;
    this.operations = new GridOperations(`edits_${key}`, this);
    this.sync = new SyncLog(
      key,
      () => this.operations.nextId(),
      () => table.changed(),
    );
  }

  // --- what is shown

  /** Shows changes at once and sends them. Resolves once they are answered. */
  carryOut(changes: readonly CellChange[], cause: Cause<GridStep>, pauseMs: number) {
    const fitting = cause.from ? changes.filter((cell) => this.fits(cell, cause)) : changes;
    return this.bring(this.place(fitting, cause), pauseMs);
  }

  private place(cells: readonly CellChange[], cause: Cause<GridStep>): Due {
    const { table } = this;
    const { step, from } = cause;
    const rows = [...new Set(cells.map(({ row }) => row))];
    table.know(table.rowsOf(rows).values());
    const isWhole = cells.some(({ column }) => column === WHOLE_ROW);
    const group = rows.length > 1 || isWhole ? `${step.id} ${this.operations.nextId()}` : "";
    for (const { row, column, after } of cells) {
      this.cells.setText(row, column, after, group);
      if (!isWhole) this.cells.mark(row, column, { state: "pending" });
      else if (after === GONE) this.markGoing(row, 0);
      this.blame({ row, column, after }, cause);
    }
    if (group) {
      const verb = from === "done" ? "Undo: " : from === "undone" ? "Redo: " : "";
      const atomic = from === null && step.atomic === true;
      this.groups.set(group, { label: `${verb}${step.label}`, step: step.id, atomic });
    }
    table.changed();
    return { rows, group };
  }

  /** Undo and redo check the current values: a different value was changed elsewhere. */
  private fits(cell: CellChange, cause: Cause<GridStep>): boolean {
    const { table } = this;
    const { row: id, column, before, after } = cell;
    const edit = table.columnOf(column)?.edit;
    const isWhole = column === WHOLE_ROW;
    this.blame(cell, cause);
    const refusal =
      isWhole || (table.rowOf(id) && edit && !this.isLeaving(id))
        ? edit?.check?.(after)
        : "This cell is not there any more.";
    const now = this.textNow(id, column);
    if (refusal) {
      this.reject(id, column, after, { state: "error", message: refusal, text: after });
    } else if (now !== before) {
      const mark = { state: "conflict", mine: after } as const;
      this.reject(id, column, after, isWhole ? null : mark);
    } else return true;
    return false;
  }

  /** A cell's text as shown. */
  textNow(id: RowId, column: string): string | undefined {
    return this.cells.textsOf(id)?.get(column) ?? this.storedText(id, column);
  }

  private storedText(id: RowId, column: string, row = this.table.rowOf(id)): string | undefined {
    if (column === WHOLE_ROW) return this.gone.has(id) ? GONE : THERE;
    return row && this.table.columnOf(column)?.edit?.value(row);
  }

  /** Rows that are being or have been deleted. Those still on the screen cannot be edited. */
  isLeaving(id: RowId): boolean {
    return this.textNow(id, WHOLE_ROW) === GONE;
  }

  private markGoing(id: RowId, progress: number): void {
    this.cells.mark(id, WHOLE_ROW, { state: "saving", progress });
  }

  /** Whether the cell still shows what this call sends. */
  private isWanted({ group }: { group: string }, { row, column, after }: CellChange): boolean {
    const { cells } = this;
    return cells.textsOf(row)?.get(column) === after && cells.groupOf(row, column) === group;
  }

  // --- calls

  private async bring(due: Due, pauseMs: number): Promise<void> {
    const posting = this.posting.then(() => this.post(due, pauseMs));
    this.posting = posting.catch(() => undefined);
    await Promise.all(await posting);
  }

  /** Creates rows. Resolves with what came of each; rejects with a refusal of all. */
  async create(drafts: readonly object[]): Promise<BulkOutcome<Row>[]> {
    const key = newIdempotencyKey();
    const words = `Add ${drafts.length === 1 ? "a row" : counted(drafts.length, "row")}`;
    const none = { rows: [], group: "", cells: [], atomic: false };
    const call: GridCall = { ...none, key, kind: "create", drafts, words };
    const [answer] = await this.put([call], 0);
    const { outcomes, error } = (await answer) ?? { outcomes: [] };
    if (error) throw error;
    return outcomes;
  }

  private async post(due: Due, pauseMs: number): Promise<Promise<Answer<Row>>[]> {
    const [id = ""] = due.rows;
    const last = this.posted.findLast(({ rows }) => rows.includes(id));
    if (due.group === "" && last?.group === "" && last.kind === "update") {
      const answers = await this.join(due, last, pauseMs);
      if (answers) return answers;
    }
    const calls = this.callsOf(due);
    if (calls.length === 0) this.endRun(due.group || id);
    this.table.changed();
    return this.put(calls, pauseMs);
  }

  /** Quick changes of a row become one request; null: the one before has left this computer. */
  private async join(due: Due, last: GridCall, pauseMs: number) {
    const [call] = this.callsOf(due, last.key);
    const names = [last.key, ...(call ? [call.key] : [])];
    for (const key of names) this.keeping.add(key);
    try {
      const requests = call ? [this.requestOf(call, pauseMs, last.key)] : [];
      if (!(await outbox.replace([last.key], requests))) return null;
      this.posted = this.posted.flatMap((one) => (one === last ? (call ?? []) : one));
    } catch (error) {
      if (call) this.refused(call, error);
      return [];
    } finally {
      for (const key of names) this.keeping.delete(key);
    }
    this.states.delete(last.key);
    const before = this.pending.get(last.key);
    this.pending.delete(last.key);
    if (call) this.runOf(call, 1);
    else this.callsOf(due); // what is as it was stored is taken as sent
    if (!call) this.endRun(due.rows[0] ?? "");
    const answer = call ? this.await(call.key) : Promise.resolve({ outcomes: [] });
    void answer.then((came) => before?.take(came));
    this.follow();
    this.table.changed();
    return [answer];
  }

  private async put(calls: readonly GridCall[], pauseMs: number) {
    if (calls.length === 0) return [];
    const answers = calls.map(({ key }) => this.await(key));
    const requests = calls.map((call) => this.requestOf(call, pauseMs));
    this.posted = [...this.posted, ...calls];
    for (const call of calls) {
      this.keeping.add(call.key);
      this.runOf(
        call,
        calls.reduce((sum, { rows }) => sum + rows.length, 0),
      );
    }
    try {
      await outbox.post(requests);
    } catch (error) {
      const keys = new Set(calls.map(({ key }) => key));
      this.posted = this.posted.filter(({ key }) => !keys.has(key));
      for (const call of calls) this.end(call, { error: error as Refused }); // or NotKept
    } finally {
      for (const { key } of calls) this.keeping.delete(key);
    }
    this.follow();
    return answers;
  }

  private await(key: string): Promise<Answer<Row>> {
    let take: Pending<Row>["take"] = () => undefined;
    const answer = new Promise<Answer<Row>>((resolve) => {
      take = resolve;
    });
    this.pending.set(key, { answer, take });
    return answer;
  }

  private requestOf(call: GridCall, pauseMs: number, without?: string): NewRequest {
    const { table } = this;
    const { key, ...about } = call;
    const rows = table.rowsOf(call.rows);
    const cells = byRow(call.cells);
    const wire = wireOfCall(table, call, (id) =>
      this.expectedRow(rows.get(id), cells.get(id) ?? [], without),
    );
    const tags = call.rows.map((id) => `${table.key} ${id}`);
    return {
      ...wire,
      kind: this.kind,
      rows: tags.length > 0 ? tags : [`${table.key} new`],
      words: call.words,
      to: `${location.pathname}${location.search}`,
      ...(call.group === "" && pauseMs > 0 && { pauseMs }),
      about,
      key,
    };
  }

  private get kind(): string {
    return `edits ${this.table.key}`;
  }

  /** A cell's text once all that is sent is answered; `without` one of the requests. */
  private expected(
    id: RowId,
    column: string,
    without?: string,
    row = this.table.rowOf(id),
  ): string | undefined {
    const isIt = isOf(id, column);
    const last = this.posted.findLast((call) => call.key !== without && call.cells.some(isIt));
    return last ? last.cells.findLast(isIt)?.after : this.storedText(id, column, row);
  }

  /** The row in that state, for the cells that a request changes. */
  private expectedRow(row: Row | undefined, cells: readonly CellChange[], without?: string) {
    const texts = cells
      .filter(({ column }) => column !== WHOLE_ROW)
      .flatMap(({ row: id, column }) => {
        const text = this.expected(id, column, without, row);
        return text === undefined || text === this.storedText(id, column, row)
          ? []
          : [[column, text] as const];
      });
    return row && { ...row, ...changesOf<Row>(texts, this.table.desk.columns) };
  }

  /** What is due and is not on its way. */
  private callsOf({ rows: ids, group }: Due, without?: string): GridCall[] {
    const { table } = this;
    const due = new Map<RowId, CellChange[]>();
    const rows = table.rowsOf(ids);
    for (const id of ids) {
      for (const [column, after] of this.cells.textsIn(id, group)) {
        const before = this.expected(id, column, without, rows.get(id));
        const cell = { row: id, column, before: before ?? "", after };
        if (before === undefined) this.refuse({ group }, cell, { code: null, reason: NOT_THERE });
        else if (before !== after) due.set(id, [...(due.get(id) ?? []), cell]);
        else if (!without && before === this.storedText(id, column, rows.get(id))) {
          if (!this.posted.some(({ cells }) => cells.some(isOf(id, column)))) {
            this.accept({ group }, cell);
          }
        }
      }
    }
    const all = [...due];
    const most = table.desk.saveRows && group ? BULK_ROWS : 1;
    const atomic = all.length <= BULK_ROWS && this.groups.get(group)?.atomic === true;
    const calls: GridCall[] = [];
    for (let start = 0; start < all.length; start += most) {
      const some = all.slice(start, start + most);
      const cells = some.flatMap(([, own]) => own);
      const [first] = cells;
      const kind =
        first?.column !== WHOLE_ROW ? "update" : first.after === GONE ? "delete" : "restore";
      const call = { kind, rows: some.map(([id]) => id), group, cells, atomic } as const;
      calls.push({ ...call, key: newIdempotencyKey(), words: this.wordsOf(call) });
    }
    return calls;
  }

  private wordsOf({ rows, group, cells, kind }: Omit<GridCall, "key" | "words">): string {
    const { table } = this;
    const name = rows.length === 1 ? table.nameOf(rows[0] ?? "") : counted(rows.length, "row");
    const label = this.groups.get(group)?.label;
    if (label) return label;
    const [first] = cells;
    if (kind !== "update" || cells.length !== 1 || !first) return `Change ${name}`;
    const header = table.columnOf(first.column)?.header ?? "A cell";
    return `${header} of ${name}: ${first.before || "empty"} → ${first.after || "empty"}`;
  }

  // --- what the outbox has

  /** Shows what is unsent of this table, and hears of its answers, while it is attached. */
  attach(): void {
    if (this.stops.length > 0) return;
    this.stops = [
      outbox.onOutcome(this.kind, this.hear),
      outbox.store.subscribe(() => this.follow()),
    ];
  }

  detach(): void {
    for (const stop of this.stops) stop();
    this.stops = [];
  }

  get isKeeping(): boolean {
    return this.keeping.size > 0;
  }

  get isBusy(): boolean {
    return this.posted.length > 0 || this.keeping.size > 0;
  }

  async settled(): Promise<void> {
    await this.posting;
    await Promise.all([...this.pending.values()].map(({ answer }) => answer));
  }

  private readonly hear = ({ request, data, error }: Answered): boolean => {
    const call = this.posted.find(({ key }) => key === request.key) ?? callOf(request);
    this.posted = this.posted.filter(({ key }) => key !== call.key);
    if (!data) this.refusals.set(call.key, call);
    this.end(call, data ? { data } : { error: error as Refused }); // one of them is there
    return this.table.isShown;
  };

  private end(call: GridCall, { data, error }: { data?: readonly unknown[]; error?: Refused }) {
    const { desk } = this.table;
    const outcomes = data ? outcomesOf<Row>(data) : refusedOutcomes<Row>(call, error, desk.idOf);
    if (!data && call.kind === "update" && call.group === "") this.refused(call, error);
    else this.accepted(call, outcomes);
    this.pending.get(call.key)?.take({ outcomes, ...(error && { error }) });
    this.pending.delete(call.key);
  }

  /** Takes up what the outbox has of this table, and lets go of what was taken out of it. */
  private follow(): void {
    const { requests, waitsFor, isRead } = outbox.store.getState();
    if (!isRead) return;
    const isFirst = this.takesUp;
    this.takesUp = false;
    const own = requests.filter(({ kind }) => kind === this.kind);
    const names = new Set(own.map(({ key }) => key));
    for (const call of this.posted) {
      if (!names.has(call.key) && !this.keeping.has(call.key)) this.withdrawn(call);
    }
    for (const [key, call] of this.refusals) if (!names.has(key)) this.forgive(key, call);
    const come = own.filter(
      ({ key }) => !this.keeping.has(key) && !this.posted.some((one) => one.key === key),
    );
    if (come.length > 0) this.adopt(come, isFirst);
    for (const request of own) if (!request.refusal) this.markOf(request, waitsFor);
    this.table.changed();
  }

  private adopt(requests: readonly Unsent[], isFirst: boolean): void {
    const { table } = this;
    const waiting = requests.filter(({ refusal }) => !refusal).map(callOf);
    for (const request of requests) if (request.refusal) this.showRefusal(request);
    this.posted = [...this.posted, ...waiting];
    const cells = waiting.flatMap((call) => call.cells.map((cell) => ({ call, cell })));
    const unknown: CellChange[] = [];
    for (const { call, cell } of cells) {
      const { row, column, after } = cell;
      this.cells.setText(row, column, after, call.group);
      if (column === WHOLE_ROW && after === GONE) this.markGoing(row, 0);
      const last = lastChange(this.operations.history, isOf(row, column));
      if (last?.value === after) this.blame(cell, { step: last.step, from: last.from });
      else unknown.push(cell);
    }
    for (const call of waiting) this.runOf(call, call.rows.length);
    if (!isFirst || cells.length === 0) return;
    const label = `${counted(cells.length, "edit")} from before the reload`;
    table.say(`Sent again: ${label}`);
    // With the steps of this tab, other changes are of undone steps that are forgotten.
    if (unknown.length === 0 || this.hasRecalled) return;
    const step = this.operations.record({ type: "bulk-edit", label, changes: unknown });
    for (const cell of unknown) this.blame(cell, { step, from: null });
  }

  /** What was refused while no grid showed it: the text is in its cell, to be corrected. */
  private showRefusal(request: Unsent): void {
    if (this.refusals.has(request.key) || !request.refusal) return;
    const call = callOf(request);
    this.refusals.set(request.key, call);
    if (call.kind !== "update") return;
    const error = errorOf(request.refusal);
    const isPart = error.code === PARTLY;
    const theirs = currentRow<Row>(error);
    if (theirs) this.table.store([theirs]);
    const bad = new Map(
      outcomesOf<Row>(isPart ? error.data : [])
        .filter(({ ok }) => !ok)
        .map((one) => [call.rows[one.index], one]),
    );
    const whole = this.marksFor(call, error);
    for (const cell of call.cells) {
      const { row, column, after } = cell;
      const one = bad.get(row);
      if (this.cells.textsOf(row)?.has(column) || (isPart && !one)) continue;
      const isConflict = one ? one.code === "CONFLICT" : theirs !== undefined;
      const message = one?.message ?? "Refused.";
      this.cells.mark(
        row,
        column,
        isConflict
          ? { state: "conflict", mine: after }
          : one
            ? { state: "error", message, text: after }
            : whole(cell),
      );
    }
  }

  private forgive(key: string, call: GridCall): void {
    this.refusals.delete(key);
    for (const { row, column, after } of call.cells) {
      const mark = this.cells.marksOf(row)?.[column];
      const text = mark?.state === "error" ? mark.text : mark?.state === "conflict" && mark.mine;
      if (text === after) this.cells.mark(row, column, null);
    }
  }

  /** The person lets a refused text go. */
  discardRefused(row: RowId, column: string): void {
    const keys = [...this.refusals].flatMap(([key, { cells }]) =>
      cells.some(isOf(row, column)) ? key : [],
    );
    const { requests } = outbox.store.getState();
    for (const key of keys) this.refusals.delete(key);
    const refused = requests.filter(({ key, refusal }) => refusal && keys.includes(key));
    if (refused.length > 0) void outbox.discard(refused);
  }

  /** It was discarded: the cells show again what is stored. */
  private withdrawn(call: GridCall): void {
    this.posted = this.posted.filter((one) => one !== call);
    for (const cell of call.cells) {
      this.takeBack(call, cell);
      this.reject(cell.row, cell.column, cell.after, null);
    }
    this.endRun(call.group || (call.rows[0] ?? call.key));
    this.pending.get(call.key)?.take({ outcomes: [] });
    this.pending.delete(call.key);
  }

  private markOf({ key, isStarted }: Unsent, waitsFor: WaitsFor | null): void {
    const call = this.posted.find((one) => one.key === key);
    if (!call || this.keeping.has(key)) return;
    const state = waitsFor ?? (isStarted ? "saving" : "pending");
    if (this.states.get(key) === state) return;
    this.states.set(key, state);
    const { log } = this.runOf(call);
    if (waitsFor) {
      this.mark(call, ({ after }) => ({ state: "waiting", text: after, waitsFor }));
      this.wait(log, waitsFor);
    } else if (isStarted) {
      this.mark(call, () => ({ state: "saving", progress: 0 }));
      this.sync.advance(log, call.rows, 0);
    } else this.mark(call, () => ({ state: "pending" }));
  }

  private mark(call: GridCall, mark: (cell: CellChange) => CellMark): void {
    if (call.kind !== "update") return;
    for (const cell of call.cells) {
      if (this.isWanted(call, cell)) this.cells.mark(cell.row, cell.column, mark(cell));
    }
  }

  // --- answers

  private accepted(call: GridCall, outcomes: BulkOutcome<Row>[]): void {
    const { table } = this;
    this.states.delete(call.key);
    const run = this.runOf(call);
    if (call.kind === "create") {
      run.failed.push(...failedOf(outcomes));
      const made = outcomes.flatMap(({ ok, row }) => (ok && row ? row : []));
      this.sync.advance(
        run.log,
        outcomes.map(({ index }) => String(index)),
        100,
      );
      if (made.length > 0) this.recordCreated(made);
      this.endRun(call.key);
    } else {
      if (call.kind === "update") this.storeRows(call, outcomes, run);
      else this.storePresence(call, outcomes, run);
      this.sync.advance(run.log, run.isTakenBack ? [] : call.rows, 100);
      const { group } = call;
      if (!group) this.endRun(call.rows[0] ?? "");
      else if (!this.posted.some((one) => one.group === group)) this.endRun(group);
    }
    table.changed();
  }

  /** Takes over the answer to an update: rows changed elsewhere show their present state. */
  private storeRows(call: GridCall, outcomes: readonly BulkOutcome<Row>[], run: Run): void {
    const { table } = this;
    run.isTakenBack = call.atomic && outcomes.some(({ ok }) => !ok);
    const refusals = new Map<RowId, Refusal>();
    const stored: Row[] = [];
    const texts = byRow(call.cells);
    const known = table.rowsOf(call.rows);
    for (const { index, ok, row, code, message } of outcomes) {
      const id = call.rows[index];
      if (id === undefined) continue;
      if (row && ((ok && !run.isTakenBack) || code === "CONFLICT")) {
        stored.push({ ...known.get(id), ...row });
      }
      const isSame = (cell: CellChange) =>
        row !== null && this.storedText(id, cell.column, row) === cell.after;
      // It was changed elsewhere to the same values.
      if (code === "CONFLICT" && !run.isTakenBack && texts.get(id)?.every(isSame)) continue;
      if (!ok) refusals.set(id, { code, reason: message || "Refused." });
    }
    table.store(stored);
    for (const [id, cells] of texts) {
      const refusal = refusals.get(id);
      for (const cell of cells) {
        if (run.isTakenBack) this.takeBack(call, cell);
        else if (refusal) this.refuse(call, cell, refusal);
        else this.accept(call, cell);
      }
      if (!refusal) {
        this.tellStored(id, cells);
        continue;
      }
      const { reason } = refusal;
      run.failed.push({ row: id, name: table.nameOf(id), reason, cells });
      for (const { row, column, after } of cells) {
        run.refused.push({ row, column, text: after, reason });
      }
    }
  }

  private tellStored(id: RowId, cells: readonly CellChange[]): void {
    const { desk } = this.table;
    const row = desk.onStored && this.table.rowOf(id);
    const texts = cells.map(({ column, after }) => [column, after] as const);
    if (row) desk.onStored?.(row, changesOf<Row>(texts, desk.columns));
  }

  /** Takes over the answer to a deletion, or to bringing rows back. */
  private storePresence(call: GridCall, outcomes: readonly BulkOutcome<Row>[], run: Run) {
    const { table } = this;
    const refusals = new Map(outcomes.map((one) => [call.rows[one.index], one]));
    for (const cell of call.cells) {
      const { row: id, after } = cell;
      const outcome = refusals.get(id);
      const isWanted = this.isWanted(call, cell);
      if (outcome && !outcome.ok) {
        const reason = outcome.message || "Refused.";
        run.failed.push({ row: id, name: table.nameOf(id), reason, cells: [] });
        if (isWanted) this.dropPresence(id);
        this.setGone(id, cell.before);
        this.reject(id, WHOLE_ROW, after, null);
        continue;
      }
      this.setGone(id, after);
      if (outcome?.row) table.know([outcome.row]);
      if (!isWanted) continue;
      if (after === THERE) this.dropPresence(id);
      else {
        for (const [column, text] of this.cells.textsOf(id) ?? []) {
          if (column !== WHOLE_ROW) this.reject(id, column, text, null);
        }
        this.cells.drop(id);
        // Until the list has been fetched without the row.
        this.markGoing(id, 100);
      }
    }
  }

  private setGone(id: RowId, presence: string): void {
    if (presence === GONE) this.gone.add(id);
    else this.gone.delete(id);
  }

  private dropPresence(id: RowId): void {
    this.cells.dropText(id, WHOLE_ROW);
    this.cells.mark(id, WHOLE_ROW, null);
  }

  private refused(call: GridCall, error: unknown): void {
    const { table } = this;
    const [id = ""] = call.rows;
    const run = this.runOf(call);
    this.states.delete(call.key);
    const theirs = currentRow<Row>(error);
    if (theirs) table.store([theirs]);
    const marks = this.marksFor(call, error);
    for (const cell of call.cells) {
      this.drop(call, cell, theirs ? { state: "conflict", mine: cell.after } : marks(cell));
    }
    const reason = theirs ? "Changed elsewhere in the meantime." : problemText(error);
    run.failed.push({ row: id, name: table.nameOf(id), reason, cells: call.cells });
    this.endRun(id);
    table.changed();
  }

  /** The message of each cell: the server's text for its fields, or the whole refusal. */
  private marksFor({ cells, rows }: GridCall, error: unknown): (cell: CellChange) => CellMark {
    const { table } = this;
    const fields = problemFields(error);
    const wordsOf = ({ column, after }: CellChange) =>
      Object.keys(changesOf<Row>([[column, after]], table.desk.columns))
        .flatMap((field) => fields[field] ?? [])
        .join(" ");
    const other = `Not saved: another cell of ${table.nameOf(rows[0] ?? "")} was refused.`;
    const general = Object.values(fields).flat().join(" ") || problemText(error);
    const whole = cells.some(wordsOf) ? other : general;
    return (cell) => ({ state: "error", text: cell.after, message: wordsOf(cell) || whole });
  }

  /** The text was stored. */
  private accept(call: { group: string }, cell: CellChange): void {
    const { row, column, after } = cell;
    const stored = this.storedText(row, column);
    if (stored !== undefined && stored !== after) this.restate(cell, stored);
    if (!this.isWanted(call, cell)) return;
    if (column === WHOLE_ROW) {
      this.dropPresence(row);
      if (after === GONE) this.markGoing(row, 100);
      return;
    }
    this.cells.dropText(row, column);
    this.confirm(row, column);
  }

  private refuse(call: { group: string }, cell: CellChange, { code, reason }: Refusal): void {
    const { after: text } = cell;
    const mark: CellMark =
      code === "CONFLICT"
        ? { state: "conflict", mine: text }
        : { state: "error", message: reason, text };
    this.drop(call, cell, mark);
  }

  /** A newer text of the cell is sent later: its answer replaces this refusal. */
  private drop(call: { group: string }, cell: CellChange, mark: CellMark): void {
    const { row, column, after } = cell;
    const isWanted = this.isWanted(call, cell);
    if (isWanted) this.cells.dropText(row, column);
    this.reject(row, column, after, isWanted && column !== WHOLE_ROW ? mark : null);
  }

  /** Nothing was changed. */
  private takeBack(call: GridCall, cell: CellChange): void {
    if (!this.isWanted(call, cell)) return;
    this.cells.dropText(cell.row, cell.column);
    this.cells.mark(cell.row, cell.column, null);
  }

  /** Notes why a cell is being saved. */
  private blame(
    { row, column, after }: Pick<CellChange, "row" | "column" | "after">,
    cause: Cause<GridStep>,
  ): void {
    const key = `${row} ${column}`;
    const causes = this.causes.get(key) ?? [];
    if (causes.some((one) => one.cause === cause)) return;
    this.causes.set(key, [...causes, { cause, text: after }]);
  }

  /** A cell's text was stored. */
  private confirm(id: RowId, column: string): void {
    this.causes.delete(`${id} ${column}`);
    this.cells.mark(id, column, { state: "saved" });
    setTimeout(() => {
      if (this.cells.marksOf(id)?.[column]?.state !== "saved") return;
      this.cells.mark(id, column, null);
      this.table.changed();
    }, TICK_MS);
  }

  /** The server stored a text in another spelling. */
  private restate({ row, column, after }: CellChange, stored: string): void {
    const { operations } = this;
    operations.history = restated(operations.history, isOf(row, column), (text) =>
      text === after ? stored : text,
    );
  }

  /** A cell's text was refused. `mark`: the cell's new mark; null where there is none. */
  private reject(id: RowId, column: string, text: string, mark: CellMark | null): void {
    const { operations, table } = this;
    const key = `${id} ${column}`;
    const causes = this.causes.get(key) ?? [];
    for (const { cause } of causes.filter((one) => one.text === text)) {
      const { step, from } = cause;
      const less = trimmed(operations.history, step.id, isOf(id, column));
      const isGone = ![...less.done, ...less.undone].some((one) => one.id === step.id);
      // Nothing was undone: the step can still be undone.
      operations.history = isGone && from ? putBack(operations.history, step, from) : less;
    }
    const left = causes.filter((one) => one.text !== text);
    if (left.length) this.causes.set(key, left);
    else this.causes.delete(key);
    if (!mark) return;
    this.cells.mark(id, column, mark);
    if (mark.state === "conflict") table.say(`${table.nameOf(id)} was changed elsewhere.`);
    else if (mark.state === "error") table.say(`${table.nameOf(id)}: ${mark.message}`);
  }

  /** Records rows that exist now: undo deletes them. */
  recordCreated(rows: readonly Row[]): GridStep {
    const { table } = this;
    table.know(rows);
    const ids = rows.map(table.desk.idOf);
    const names = ids.length === 1 ? table.nameOf(ids[0] ?? "") : `${ids.length} rows`;
    const changes = presence(ids, GONE, THERE);
    return this.operations.record({ type: "row-create", label: `Add ${names}`, changes });
  }

  // --- the sync log

  private wait(operation: number, waitsFor: WaitsFor): void {
    this.sync.wait(operation);
    this.table.say(
      waitsFor === "line"
        ? "No connection: the change waits and is sent when it is back."
        : "Your session has ended: the change is sent when you have signed in again.",
    );
  }

  endLog(operation: number, failed: readonly FailedRow[]): void {
    this.sync.end(operation, failed);
    if (failed.length === 0) this.table.desk.onEdited?.();
  }

  // --- runs

  private runOf(call: Pick<GridCall, "key" | "rows" | "kind" | "group">, rows?: number): Run {
    const name = call.group || (call.rows[0] ?? call.key);
    const running = this.runs.get(name);
    if (running) return running;
    const { table } = this;
    const { kind } = call;
    const count = rows ?? Math.max(1, call.rows.length);
    const named = count === 1 ? table.nameOf(call.rows[0] ?? "") : counted(count, "row");
    const labels: Record<Run["kind"], readonly [SyncKind, string]> = {
      update: call.group
        ? ["bulk-update", this.groups.get(call.group)?.label ?? `Change ${named}`]
        : ["update", `Change ${named}`],
      delete: [count > 1 ? "bulk-delete" : "delete", `Delete ${named}`],
      restore: ["create", `Add ${count === 1 ? "a row" : counted(count, "row")}`],
      create: ["create", `Add ${count === 1 ? "a row" : counted(count, "row")}`],
    };
    const log = this.sync.begin(...labels[kind], count);
    const run: Run = { log, kind, failed: [], refused: [], isTakenBack: false };
    this.runs.set(name, run);
    return run;
  }

  private endRun(name: string): void {
    const run = this.runs.get(name);
    const group = this.groups.get(name);
    this.groups.delete(name);
    if (group) this.outcomes.set(group.step, run ?? { failed: [], refused: [] });
    if (!run) return;
    this.runs.delete(name);
    const { table } = this;
    const { failed, kind, isTakenBack } = run;
    if (isTakenBack && group) {
      this.operations.history = dropped(this.operations.history, group.step);
    }
    this.endLog(run.log, isTakenBack ? [] : failed);
    if (kind !== "update" || (group && failed.length && !isTakenBack)) refetch(table.desk);
    const [first] = failed;
    if (!first || kind === "update" || kind === "create") return;
    const names = failed.length === 1 ? first.name : counted(failed.length, "row");
    const what = kind === "delete" ? "deleted" : "brought back";
    toast.error(`${names} not ${what}: ${first.reason}`);
  }

  /** What came of an operation of several rows. */
  takeOutcome(step: number): Outcome {
    const outcome = this.outcomes.get(step) ?? { failed: [], refused: [] };
    this.outcomes.delete(step);
    return outcome;
  }

  // --- over a reload

  /** Takes up what was not sent before this grid was shown. */
  resume(): void {
    this.attach();
    this.takesUp = true;
    this.follow();
  }

  readonly remember = (ids: readonly RowId[]): Remembered<Row> => ({
    rows: [...this.table.rowsOf(ids).values()],
  });

  readonly recall = ({ rows }: Remembered<Row>): void => {
    const { table } = this;
    this.hasRecalled = true;
    table.know(rows);
    for (const row of rows) {
      const id = table.desk.idOf(row);
      const last = lastChange(this.operations.history, isOf(id, WHOLE_ROW));
      if (last) this.setGone(id, last.value);
    }
  };

  readonly onTakenBack = (step: GridStep, told: string | undefined): void => {
    toast.success(told ?? `Undone: ${step.label}`);
  };

  readonly refresh = (): unknown => this.table.desk.queryClient.invalidateQueries();

  // --- steps of the history

  readonly onStep = (step: GridStep | null, from: "done" | "undone"): void => {
    const [none, words] =
      from === "done" ? ["Nothing to undo.", "Undone"] : ["Nothing to redo.", "Done again"];
    this.table.say(step ? `${words}: ${step.label}` : none);
  };

  readonly onNotTakenBack = (error: unknown): void => {
    toast.error(`Not undone: ${problemText(error)}`);
  };

  readonly onNotDoneAgain = (error: unknown): void => {
    toast.error(`Not redone: ${problemText(error)}`);
  };

  readonly changed = (): void => this.table.changed();

  readonly forget = (): void => {
    this.groups.clear();
    this.runs.clear();
    this.outcomes.clear();
    this.posted = [];
    this.pending.clear();
    this.states.clear();
    this.refusals.clear();
    this.gone.clear();
    this.hasRecalled = false;
    this.cells.clear();
    this.causes.clear();
    this.sync.reset();
    this.table.forget();
  };
}

/** The call of a request, as requestOf put it. */
const callOf = ({ about, key }: Unsent): GridCall => ({ ...(about as Omit<GridCall, "key">), key });

const isOf = (row: RowId, column: string) => (cell: CellChange) =>
  cell.row === row && cell.column === column;

const failedOf = (outcomes: readonly BulkOutcome<unknown>[]): FailedRow[] =>
  outcomes.flatMap(({ ok, index, message }) =>
    ok ? [] : { row: String(index), name: "", reason: message ?? "", cells: [] },
  );

/** The steps of a table's history, and how they are carried out. */
export class GridOperations<Row extends object> extends Steps<
  GridStep,
  CellChange,
  Remembered<Row>
> {
  constructor(
    name: string,
    private readonly saves: Saves<Row>,
  ) {
    super(name, saves);
  }

  get isBusy(): boolean {
    return this.saves.isBusy || this.unrecorded.size > 0;
  }

  protected override carryOut(changes: readonly CellChange[], cause: Cause<GridStep>) {
    return this.saves.carryOut(changes, cause, cause.from ? 0 : DEBOUNCE_MS);
  }

  protected override settled(): Promise<void> {
    return this.saves.settled();
  }

  /** Takes up the steps of this tab, and what is unsent. */
  resume(): void {
    this.recallSteps();
    this.saves.resume();
  }

  forget(): void {
    this.clearSteps();
    this.saves.forget();
  }
}
