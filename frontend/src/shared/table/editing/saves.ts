/**
 * What a table's operations show and send. A change of one row is one request; changes of several
 * rows made together are one request of at most a thousand rows. Deleting a row, and bringing it
 * back, are changes of WHOLE_ROW.
 */
import { counted } from "@/shared/lib/format";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { problemFields, problemText } from "@/shared/lib/problem";
import { lastChange } from "@/shared/outbox/history";
import type { Cause, Client, Due, Operations } from "@/shared/outbox/operations";
import type { WaitsFor } from "@/shared/outbox/reach";
import { toast } from "@/shared/ui/toast";
import type { RowId } from "../column";
import { changesOf } from "./cells";
import { currentRow, type EditorCore, type GridStep } from "./core";
import { refetch } from "./desk";
import {
  type BadCell,
  type BulkOutcome,
  type CellChange,
  type CellMark,
  GONE,
  type SyncKind,
  THERE,
  WHOLE_ROW,
} from "./model";
import { BULK_ROWS, byRow, type GridCall, outcomeOf, sendCall } from "./requests";
import type { FailedRow } from "./syncOperations";

/** How often a save is retried with the row's newest state after other fields changed elsewhere. */
const REBASES = 3;
/** A bulk edit of more rows is not kept over a reload: the browser has room for a few thousand. */
const MOST_KEPT = 500;

/** Unsaved texts and the rows under them. */
export type Unsaved<Row> = { rows: readonly Row[]; cells: readonly CellChange[] };

export type GridOperations<Row extends object> = Operations<
  GridStep,
  CellChange,
  GridCall<Row>,
  BulkOutcome<Row>[],
  Unsaved<Row>
>;

/** What came of an operation of several rows. */
export type Outcome = { refused: BadCell[]; failed: FailedRow[] };

/** The requests of one operation: one entry of the sync log. */
type Run = Outcome & { log: number; kind: GridCall<unknown>["kind"]; isTakenBack: boolean };
type Group = { label: string; step: number; atomic: boolean };
type Refusal = { code: string | null; reason: string };

const NOT_THERE = "The row is not there any more.";

export class Saves<Row extends object>
  implements Client<GridStep, CellChange, GridCall<Row>, BulkOutcome<Row>[], Unsaved<Row>>
{
  private readonly groups = new Map<string, Group>();
  /** By group; by row where a row is sent alone. */
  private readonly runs = new Map<string, Run>();
  private readonly outcomes = new Map<number, Outcome>();
  private readonly rebases = new Map<RowId, number>();
  /** Rows that were deleted, and may still be on the screen. */
  private readonly gone = new Set<RowId>();

  /** The steps of the page before are in the history. */
  private hasRecalled = false;

  constructor(private readonly editor: EditorCore<Row>) {}

  // --- what is shown

  readonly show = (changes: readonly CellChange[], cause: Cause<GridStep>): Due =>
    this.place(cause.from ? changes.filter((cell) => this.fits(cell, cause)) : changes, cause);

  private place(cells: readonly CellChange[], cause: Cause<GridStep>): Due {
    const { editor } = this;
    const { step, from } = cause;
    const rows = [...new Set(cells.map(({ row }) => row))];
    editor.know(editor.rowsOf(rows).values());
    const isWhole = cells.some(({ column }) => column === WHOLE_ROW);
    const group = rows.length > 1 || isWhole ? `${step.id} ${editor.nextId()}` : "";
    for (const { row, column, after } of cells) {
      editor.cells.setText(row, column, after, group);
      if (!isWhole) editor.cells.mark(row, column, { state: "pending" });
      else if (after === GONE) this.markGoing(row, 0);
      editor.blame({ row, column, after }, cause);
    }
    if (group) {
      const verb = from === "done" ? "Undo: " : from === "undone" ? "Redo: " : "";
      const atomic = from === null && step.atomic === true;
      this.groups.set(group, { label: `${verb}${step.label}`, step: step.id, atomic });
    }
    editor.changed();
    return { rows, group };
  }

  /** Undo and redo check the current values: a different value was changed elsewhere. */
  private fits(cell: CellChange, cause: Cause<GridStep>): boolean {
    const { editor } = this;
    const { row: id, column, before, after } = cell;
    const edit = editor.columnOf(column)?.edit;
    const isWhole = column === WHOLE_ROW;
    editor.blame(cell, cause);
    const refusal =
      isWhole || (editor.rowOf(id) && edit && !this.isLeaving(id))
        ? edit?.check?.(after)
        : "This cell is not there any more.";
    const now = this.textNow(id, column);
    if (refusal) {
      editor.refused(id, column, after, { state: "error", message: refusal, text: after });
    } else if (now !== before) {
      const mark = { state: "conflict", mine: after } as const;
      editor.refused(id, column, after, isWhole ? null : mark);
    } else return true;
    return false;
  }

  /** A cell's text as shown. */
  textNow(id: RowId, column: string): string | undefined {
    return this.editor.cells.textsOf(id)?.get(column) ?? this.storedText(id, column);
  }

  private storedText(id: RowId, column: string, row = this.editor.rowOf(id)): string | undefined {
    if (column === WHOLE_ROW) return this.gone.has(id) ? GONE : THERE;
    return row && this.editor.columnOf(column)?.edit?.value(row);
  }

  /** Rows that are being or have been deleted. Those still on the screen cannot be edited. */
  isLeaving(id: RowId): boolean {
    return this.textNow(id, WHOLE_ROW) === GONE;
  }

  private markGoing(id: RowId, progress: number): void {
    this.editor.cells.mark(id, WHOLE_ROW, { state: "saving", progress });
  }

  /** Whether the cell still shows what this call sends. */
  private isWanted({ group }: { group: string }, { row, column, after }: CellChange): boolean {
    const { cells } = this.editor;
    return cells.textsOf(row)?.get(column) === after && cells.groupOf(row, column) === group;
  }

  // --- calls

  readonly next = ({ rows: ids, group }: Due): GridCall<Row> | null => {
    const { editor } = this;
    const rows = editor.rowsOf(ids);
    const due = new Map<RowId, CellChange[]>();
    for (const id of ids) {
      if (group === "" && editor.isPaused(id)) continue;
      for (const [column, after] of editor.cells.textsIn(id, group)) {
        const before = this.storedText(id, column, rows.get(id));
        const cell = { row: id, column, before: before ?? "", after };
        if (before === undefined) this.refuse({ group }, cell, { code: null, reason: NOT_THERE });
        else if (before === after) this.accept({ group }, cell);
        else due.set(id, [...(due.get(id) ?? []), cell]);
      }
    }
    if (due.size === 0) {
      this.endRun(group || (ids[0] ?? ""));
      editor.changed();
      return null;
    }
    const sent = [...due].slice(0, BULK_ROWS);
    const cells = sent.flatMap(([, own]) => own);
    const bases = sent.flatMap(([id]) => rows.get(id) ?? []);
    const [first] = cells;
    const kind =
      first?.column !== WHOLE_ROW ? "update" : first.after === GONE ? "delete" : "restore";
    const atomic = due.size <= BULK_ROWS && this.groups.get(group)?.atomic === true;
    const call = { key: newIdempotencyKey(), rows: sent.map(([id]) => id), kind, group, cells };
    this.runOf({ ...call, kind }, due.size);
    return { ...call, kind, bases, atomic };
  };

  readonly send = (call: GridCall<Row>): Promise<BulkOutcome<Row>[]> => {
    this.mark(call, () => ({ state: "saving", progress: 0 }));
    this.editor.advance(this.runOf(call).log, call.rows, 0);
    return sendCall(this.editor, call, (row) => {
      this.editor.advance(this.runOf(call).log, [row], 100);
    });
  };

  readonly onWaiting = (call: GridCall<Row>, reason: WaitsFor): void => {
    this.mark(call, ({ after }) => ({ state: "waiting", text: after, waitsFor: reason }));
    this.editor.wait(this.runOf(call).log, reason);
  };

  private mark(call: GridCall<Row>, mark: (cell: CellChange) => CellMark): void {
    if (call.kind !== "update") return;
    for (const cell of call.cells) {
      if (this.isWanted(call, cell)) this.editor.cells.mark(cell.row, cell.column, mark(cell));
    }
  }

  // --- answers

  readonly accepted = (call: GridCall<Row>, outcomes: BulkOutcome<Row>[]): void => {
    const { editor } = this;
    const run = this.runOf(call);
    if (call.kind === "create") {
      run.failed.push(...failedOf(outcomes));
      const made = outcomes.flatMap(({ ok, row }) => (ok && row ? row : []));
      editor.advance(
        run.log,
        outcomes.map(({ index }) => String(index)),
        100,
      );
      if (made.length > 0) editor.recordCreated(made);
      this.endRun(call.key);
    } else {
      if (call.kind === "update") this.storeRows(call, outcomes, run);
      else this.storePresence(call, outcomes, run);
      editor.advance(run.log, run.isTakenBack ? [] : call.rows, 100);
      if (call.group === "") this.endRun(call.rows[0] ?? "");
    }
    this.rebases.delete(call.rows[0] ?? "");
    editor.changed();
  };

  /** Takes over the answer to an update: rows changed elsewhere show their present state. */
  private storeRows(call: GridCall<Row>, outcomes: readonly BulkOutcome<Row>[], run: Run): void {
    const { editor } = this;
    run.isTakenBack = call.atomic && outcomes.some(({ ok }) => !ok);
    const refusals = new Map<RowId, Refusal>();
    const stored: Row[] = [];
    const texts = byRow(call.cells);
    for (const { index, ok, row, code, message } of outcomes) {
      const id = call.rows[index];
      if (id === undefined) continue;
      if (row && ((ok && !run.isTakenBack) || code === "CONFLICT")) stored.push(row);
      const isSame = (cell: CellChange) =>
        row !== null && this.storedText(id, cell.column, row) === cell.after;
      // It was changed elsewhere to the same values.
      if (code === "CONFLICT" && !run.isTakenBack && texts.get(id)?.every(isSame)) continue;
      if (!ok) refusals.set(id, { code, reason: message || "Refused." });
    }
    editor.store(stored);
    for (const [id, cells] of texts) {
      const refusal = refusals.get(id);
      for (const cell of cells) {
        if (run.isTakenBack) this.takeBack(call, cell);
        else if (refusal) this.refuse(call, cell, refusal);
        else this.accept(call, cell);
      }
      if (!refusal) continue;
      const { reason } = refusal;
      run.failed.push({ row: id, name: editor.nameOf(id), reason, cells });
      for (const { row, column, after } of cells) {
        run.refused.push({ row, column, text: after, reason });
      }
    }
  }

  /** Takes over the answer to a deletion, or to bringing rows back. */
  private storePresence(call: GridCall<Row>, outcomes: readonly BulkOutcome<Row>[], run: Run) {
    const { editor } = this;
    const refusals = new Map(outcomes.map((one) => [call.rows[one.index], one]));
    for (const cell of call.cells) {
      const { row: id, after } = cell;
      const outcome = refusals.get(id);
      const isWanted = this.isWanted(call, cell);
      if (outcome && !outcome.ok) {
        const reason = outcome.message || "Refused.";
        run.failed.push({ row: id, name: editor.nameOf(id), reason, cells: [] });
        if (isWanted) this.dropPresence(id);
        this.setGone(id, cell.before);
        editor.refused(id, WHOLE_ROW, after, null);
        continue;
      }
      this.setGone(id, after);
      if (outcome?.row) editor.know([outcome.row]);
      if (!isWanted) continue;
      if (after === THERE) this.dropPresence(id);
      else {
        for (const [column, text] of editor.cells.textsOf(id) ?? []) {
          if (column !== WHOLE_ROW) editor.refused(id, column, text, null);
        }
        editor.cells.drop(id);
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
    this.editor.cells.dropText(id, WHOLE_ROW);
    this.editor.cells.mark(id, WHOLE_ROW, null);
  }

  readonly refused = (call: GridCall<Row>, error: unknown): void => {
    const { editor } = this;
    if (call.kind !== "update" || call.group !== "") {
      const reason = problemText(error);
      const count = call.drafts?.length ?? call.rows.length;
      const all = Array.from({ length: count }, (_, index) =>
        outcomeOf<Row>(index, { message: reason }),
      );
      this.accepted(call, all);
      return;
    }
    const [id = ""] = call.rows;
    const [base] = call.bases;
    const run = this.runOf(call);
    const theirs = currentRow<Row>(error);
    let mark = this.marksFor(call, error);
    let reason = problemText(error);
    if (theirs) {
      editor.store([theirs]);
      const differs = ({ column, after }: CellChange) => {
        const now = this.storedText(id, column, theirs);
        return now !== this.storedText(id, column, base) && now !== after;
      };
      const rebases = (this.rebases.get(id) ?? 0) + 1;
      this.rebases.set(id, rebases);
      // It is sent once more, on the row's newest state.
      if (!call.cells.some(differs) && rebases <= REBASES) return;
      reason = "Changed elsewhere in the meantime.";
      mark = ({ after }) => ({ state: "conflict", mine: after });
    }
    this.rebases.delete(id);
    for (const cell of call.cells) this.drop(call, cell, mark(cell));
    run.failed.push({ row: id, name: editor.nameOf(id), reason, cells: call.cells });
    this.endRun(id);
    editor.changed();
  };

  /** The message of each cell: the server's text for its fields, or the whole refusal. */
  private marksFor({ cells, rows }: GridCall<Row>, error: unknown): (cell: CellChange) => CellMark {
    const { editor } = this;
    const fields = problemFields(error);
    const wordsOf = ({ column, after }: CellChange) =>
      Object.keys(changesOf<Row>([[column, after]], editor.desk.columns))
        .flatMap((field) => fields[field] ?? [])
        .join(" ");
    const other = `Not saved: another cell of ${editor.nameOf(rows[0] ?? "")} was refused.`;
    const general = Object.values(fields).flat().join(" ") || problemText(error);
    const whole = cells.some(wordsOf) ? other : general;
    return (cell) => ({ state: "error", text: cell.after, message: wordsOf(cell) || whole });
  }

  /** The text was stored. */
  private accept(call: { group: string }, cell: CellChange): void {
    const { editor } = this;
    const { row, column, after } = cell;
    const stored = this.storedText(row, column);
    if (stored !== undefined && stored !== after) editor.restate(cell, stored);
    if (!this.isWanted(call, cell)) return;
    if (column === WHOLE_ROW) {
      this.dropPresence(row);
      if (after === GONE) this.markGoing(row, 100);
      return;
    }
    editor.cells.dropText(row, column);
    editor.accepted(row, column);
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
    if (isWanted) this.editor.cells.dropText(row, column);
    this.editor.refused(row, column, after, isWanted && column !== WHOLE_ROW ? mark : null);
  }

  /** Nothing was changed. */
  private takeBack(call: GridCall<Row>, cell: CellChange): void {
    if (!this.isWanted(call, cell)) return;
    this.editor.cells.dropText(cell.row, cell.column);
    this.editor.cells.mark(cell.row, cell.column, null);
  }

  // --- runs

  private runOf(call: Pick<GridCall<Row>, "key" | "rows" | "kind" | "group">, rows?: number): Run {
    const name = call.group || (call.rows[0] ?? call.key);
    const running = this.runs.get(name);
    if (running) return running;
    const { editor } = this;
    const { kind } = call;
    const count = rows ?? Math.max(1, call.rows.length);
    const named = count === 1 ? editor.nameOf(call.rows[0] ?? "") : counted(count, "row");
    const labels: Record<Run["kind"], readonly [SyncKind, string]> = {
      update: call.group
        ? ["bulk-update", this.groups.get(call.group)?.label ?? `Change ${named}`]
        : ["update", `Change ${named}`],
      delete: [count > 1 ? "bulk-delete" : "delete", `Delete ${named}`],
      restore: ["create", `Add ${count === 1 ? "a row" : counted(count, "row")}`],
      create: ["create", `Add ${count === 1 ? "a row" : counted(count, "row")}`],
    };
    const log = editor.begin(...labels[kind], count);
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
    const { editor } = this;
    const { failed, kind, isTakenBack } = run;
    if (isTakenBack && group) editor.forgetStep(group.step);
    editor.end(run.log, isTakenBack ? [] : failed);
    if (kind !== "update" || (group && failed.length && !isTakenBack)) refetch(editor.desk);
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

  readonly wanted = (): Unsaved<Row> | null => {
    const { editor } = this;
    const texts = editor.cells.unsavedTexts();
    if (texts.length === 0 || texts.length > MOST_KEPT) return null;
    const rows = editor.rowsOf(texts.map(([id]) => id));
    const cells = texts.flatMap(([id, own]) =>
      [...own].flatMap(([column, after]) => {
        const before = this.storedText(id, column, rows.get(id));
        return before === undefined ? [] : { row: id, column, before, after };
      }),
    );
    return { rows: [...rows.values()], cells };
  };

  readonly resume = (
    { rows, cells }: Unsaved<Row>,
    calls: readonly GridCall<Row>[] = [],
  ): readonly Due[] => {
    const { editor } = this;
    editor.know(rows);
    for (const { row, column, before } of cells) {
      if (column === WHOLE_ROW) this.setGone(row, before);
    }
    const sent = calls.flatMap((call) => call.cells);
    const left = cells.filter(
      ({ row, column, after }) =>
        sent.some(isOf(row, column)) || this.textNow(row, column) !== after,
    );
    if (left.length === 0) return [];
    const label = `${counted(left.length, "edit")} from before the reload`;
    editor.say(`Sent again: ${label}`);
    const { known, others } = this.byCause(left);
    if (others.length > 0) {
      const given = { type: "bulk-edit", label, changes: others } as const;
      // With the steps of this tab, other changes are of undone steps that are forgotten.
      const step = this.hasRecalled
        ? { ...given, id: editor.nextId(), at: Date.now() }
        : editor.record(given);
      known.push({ cause: { step, from: null }, cells: others });
    }
    return known.flatMap(({ cause, cells: some }) => this.placeAgain(some, cause, sent));
  };

  /** The steps of the history that the changes belong to, and the changes without one. */
  private byCause(cells: readonly CellChange[]) {
    const known = new Map<string, { cause: Cause<GridStep>; cells: CellChange[] }>();
    const others: CellChange[] = [];
    for (const cell of cells) {
      const last = lastChange(this.editor.history, isOf(cell.row, cell.column));
      if (last?.value !== cell.after) {
        others.push(cell);
        continue;
      }
      const { step, from } = last;
      const name = `${step.id} ${from}`;
      const one = known.get(name) ?? { cause: { step, from }, cells: [] };
      known.set(name, { ...one, cells: [...one.cells, cell] });
    }
    return { known: [...known.values()], others };
  }

  /** `sent`: what the calls that are not answered may have stored already. */
  private placeAgain(
    cells: readonly CellChange[],
    cause: Cause<GridStep>,
    sent: readonly CellChange[],
  ): Due[] {
    const isStored = ({ row, column }: CellChange) => {
      const now = this.textNow(row, column);
      return sent.some((one) => one.after === now && isOf(row, column)(one));
    };
    const kinds = [
      cells.filter(({ column }) => column !== WHOLE_ROW),
      cells.filter(({ column, after }) => column === WHOLE_ROW && after === GONE),
      cells.filter(({ column, after }) => column === WHOLE_ROW && after === THERE),
    ];
    return kinds.map((some) =>
      this.place(
        some.filter((one) => isStored(one) || this.fits(one, cause)),
        cause,
      ),
    );
  }

  readonly remember = (ids: readonly RowId[]): Unsaved<Row> => ({
    rows: [...this.editor.rowsOf(ids).values()],
    cells: [],
  });

  readonly recall = ({ rows }: Unsaved<Row>): void => {
    const { editor } = this;
    this.hasRecalled = true;
    editor.know(rows);
    for (const row of rows) {
      const id = editor.desk.idOf(row);
      const last = lastChange(editor.history, isOf(id, WHOLE_ROW));
      if (last) this.setGone(id, last.value);
    }
  };

  readonly onTakenBack = (step: GridStep, told: string | undefined): void => {
    toast.success(told ?? `Undone: ${step.label}`);
  };

  readonly refresh = (): unknown => this.editor.desk.queryClient.invalidateQueries();

  // --- steps of the history

  readonly onStep = (step: GridStep | null, from: "done" | "undone"): void => {
    const [none, words] =
      from === "done" ? ["Nothing to undo.", "Undone"] : ["Nothing to redo.", "Done again"];
    this.editor.say(step ? `${words}: ${step.label}` : none);
  };

  readonly onNotTakenBack = (error: unknown): void => {
    toast.error(`Not undone: ${problemText(error)}`);
  };

  readonly onNotDoneAgain = (error: unknown): void => {
    toast.error(`Not done again: ${problemText(error)}`);
  };

  readonly onNotKept = (error: unknown): void => this.editor.onNotKept(error);

  readonly changed = (): void => this.editor.changed();

  readonly forget = (): void => {
    this.groups.clear();
    this.runs.clear();
    this.outcomes.clear();
    this.rebases.clear();
    this.gone.clear();
    this.hasRecalled = false;
    this.editor.forget();
  };
}

const isOf = (row: RowId, column: string) => (cell: CellChange) =>
  cell.row === row && cell.column === column;

const failedOf = (outcomes: readonly BulkOutcome<unknown>[]): FailedRow[] =>
  outcomes.flatMap(({ ok, index, message }) =>
    ok ? [] : { row: String(index), name: "", reason: message ?? "", cells: [] },
  );
