/** Saves many rows: a thousand in one request, or one by one where a page has no bulk request. */
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { problemText } from "@/shared/lib/problem";
import { sendUntilAnswered } from "@/shared/outbox/reach";
import type { RowId } from "../column";
import { changesOf } from "./cells";
import { currentRow, type EditorCore } from "./core";
import type { BadCell, BulkOutcome, BulkRequest, CellChange, CellMark } from "./model";
import type { FailedRow } from "./operations";

/** The most rows that one request may change. */
export const BULK_ROWS = 1000;
/** Rows saved in parallel where each needs a request. */
const AT_A_TIME = 4;

type Job = { id: RowId; cells: CellChange[] };
type Refusal = { code: string | null; reason: string };

/**
 * Sends changes of many rows to the server. Refusals are marked and returned. With `atomic`, a
 * refused row among the first thousand leaves all rows unchanged.
 */
export async function saveMany<Row extends object>(
  editor: EditorCore<Row>,
  cells: readonly CellChange[],
  options: { operation: number; atomic: boolean },
): Promise<{ refused: BadCell[]; failed: FailedRow[] }> {
  const jobs = jobsOf(cells);
  const { operation } = options;
  const failed: FailedRow[] = [];
  const refused: BadCell[] = [];
  const settle = (job: Job, refusal: Refusal | null, atomicallyRefused = false) => {
    for (const cell of job.cells) {
      // The change may have been undone while it was sent: the pending text is then another one.
      const isLast = isPending(editor, cell);
      const { row, column, after } = cell;
      if (isLast) editor.cells.dropText(row, column);
      if (!refusal) {
        const now = editor.rowOf(row);
        if (now) editor.restate(row, column, after, now);
        if (isLast) editor.accepted(row, column);
      } else if (!atomicallyRefused) {
        editor.refused(row, column, after, isLast ? markOf(cell, refusal) : null);
      } else if (isLast) editor.cells.mark(row, column, null);
    }
    if (!refusal) return;
    for (const { row, column, after } of job.cells) {
      refused.push({ row, column, text: after, reason: refusal.reason });
    }
    const name = editor.nameOf(job.id);
    failed.push({ row: job.id, name, reason: refusal.reason, cells: job.cells });
  };

  if (editor.desk.saveRows) {
    for (let start = 0; start < jobs.length; start += BULK_ROWS) {
      const some = jobs.slice(start, start + BULK_ROWS);
      const atomic = options.atomic && jobs.length <= BULK_ROWS;
      const refusals = await saveChunk(editor, some, operation, atomic);
      const undoneAll = atomic && refusals.size > 0;
      for (const job of some) {
        const refusal = refusals.get(job.id) ?? null;
        if (undoneAll && !refusal) takeBack(editor, job);
        else settle(job, refusal, undoneAll);
      }
      editor.advance(operation, undoneAll ? [] : some.map(({ id }) => id), 100);
      editor.changed();
    }
  } else {
    const next = jobs.values();
    const work = async () => {
      for (const job of next) {
        settle(job, await saveAlone(editor, job, operation));
        editor.advance(operation, [job.id], 100);
        editor.changed();
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
  }
  return { refused, failed };
}

function jobsOf(cells: readonly CellChange[]): Job[] {
  const jobs = new Map<RowId, CellChange[]>();
  for (const cell of cells) {
    const own = jobs.get(cell.row);
    if (own) own.push(cell);
    else jobs.set(cell.row, [cell]);
  }
  return [...jobs].map(([id, own]) => ({ id, cells: own }));
}

const isPending = <Row extends object>(editor: EditorCore<Row>, cell: CellChange): boolean =>
  editor.cells.textsOf(cell.row)?.get(cell.column) === cell.after &&
  editor.cells.claimsOf(cell.row, cell.column) <= 1;

/** The cells of a job whose stored text still differs. */
const differing = <Row extends object>(editor: EditorCore<Row>, row: Row, job: Job): CellChange[] =>
  job.cells.filter(({ column, after }) => editor.columnOf(column)?.edit?.value(row) !== after);

const changesFor = <Row extends object>(
  editor: EditorCore<Row>,
  cells: readonly CellChange[],
): Partial<Row> =>
  changesOf<Row>(
    cells.map(({ column, after }) => [column, after] as const),
    editor.desk.columns,
  );

async function saveChunk<Row extends object>(
  editor: EditorCore<Row>,
  jobs: readonly Job[],
  operation: number,
  atomic: boolean,
): Promise<Map<RowId, Refusal>> {
  const refusals = new Map<RowId, Refusal>();
  const rows = editor.rowsOf(jobs.map(({ id }) => id));
  const sent: Job[] = [];
  const update = jobs.flatMap((job) => {
    const row = rows.get(job.id);
    if (!row) {
      refusals.set(job.id, { code: null, reason: "The row is not there any more." });
      return [];
    }
    const cells = differing(editor, row, job);
    if (cells.length === 0) return [];
    sent.push(job);
    return { row, changes: changesFor(editor, cells) };
  });
  if (update.length === 0 || (atomic && refusals.size > 0)) return refusals;
  try {
    const outcomes = await sendRows(editor, { update, atomic }, operation, jobs);
    const undoneAll = atomic && outcomes.some(({ ok }) => !ok);
    const stored: Row[] = [];
    for (const outcome of outcomes) {
      const job = sent[outcome.index];
      if (!job) continue;
      const isStored = outcome.ok && !undoneAll;
      if (outcome.row && (isStored || outcome.code === "CONFLICT")) stored.push(outcome.row);
      // It was changed elsewhere to the same values, or by this request before a reload.
      const isSame = outcome.code === "CONFLICT" && outcome.row && !undoneAll;
      if (isSame && differing(editor, outcome.row as Row, job).length === 0) continue;
      if (!outcome.ok) {
        const reason = outcome.message || "Refused.";
        refusals.set(job.id, { code: outcome.code, reason });
      }
    }
    // Rows that were changed elsewhere show their present state.
    editor.store(stored);
  } catch (error) {
    const reason = problemText(error);
    for (const { id } of sent) refusals.set(id, { code: null, reason });
  }
  return refusals;
}

/** One bulk request. After a lost connection it is retried with its key. */
export function sendRows<Row extends object>(
  editor: EditorCore<Row>,
  request: BulkRequest<Row>,
  operation: number,
  jobs: readonly { id: RowId; cells?: readonly CellChange[] }[] = [],
): Promise<BulkOutcome<Row>[]> {
  const { saveRows } = editor.desk;
  if (!saveRows) return Promise.reject(new Error("This table saves one row at a time."));
  const call = { key: newIdempotencyKey() };
  const show = (mark: (cell: CellChange) => CellMark) => {
    for (const { cells = [] } of jobs) {
      for (const cell of cells) {
        if (isPending(editor, cell)) editor.cells.mark(cell.row, cell.column, mark(cell));
      }
    }
  };
  const send = () => {
    show(() => ({ state: "saving", progress: 0 }));
    editor.advance(
      operation,
      jobs.map(({ id }) => id),
      0,
    );
    return saveRows(request, call);
  };
  return sendUntilAnswered(send, (waitsFor) => {
    show(({ after }) => ({ state: "waiting", text: after, waitsFor }));
    editor.wait(operation, waitsFor);
  });
}

async function saveAlone<Row extends object>(
  editor: EditorCore<Row>,
  job: Job,
  operation: number,
): Promise<Refusal | null> {
  const row = editor.rowOf(job.id);
  if (!row) return { code: null, reason: "The row is not there any more." };
  const cells = differing(editor, row, job);
  if (cells.length === 0) return null;
  const call = { key: newIdempotencyKey() };
  editor.advance(operation, [job.id], 0);
  try {
    const saved = await sendUntilAnswered(
      () => editor.saveOne(row, changesFor(editor, cells), call),
      (waitsFor) => editor.wait(operation, waitsFor),
    );
    editor.store([saved]);
    return null;
  } catch (error) {
    const theirs = currentRow<Row>(error);
    if (theirs) editor.store([theirs]);
    const { code } = error as { code?: unknown };
    return { code: typeof code === "string" ? code : null, reason: problemText(error) };
  }
}

/** Nothing was changed: the cell keeps its state. */
function takeBack<Row extends object>(editor: EditorCore<Row>, job: Job): void {
  for (const cell of job.cells) {
    if (!isPending(editor, cell)) continue;
    editor.cells.dropText(cell.row, cell.column);
    editor.cells.mark(cell.row, cell.column, null);
  }
}

function markOf({ after }: CellChange, { code, reason }: Refusal): CellMark {
  return code === "CONFLICT"
    ? { state: "conflict", mine: after }
    : { state: "error", message: reason, text: after };
}
