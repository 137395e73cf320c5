/**
 * Cells of single rows on their way to the server: collected for 300 ms, one request per row at a
 * time, so that each carries the version that the one before it left.
 */
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { problemFields, problemText } from "@/shared/lib/problem";
import { DEBOUNCE_MS } from "@/shared/lib/useDebounced";
import type { RowId } from "../column";
import { changesOf } from "./cells";
import type { EditorCore } from "./core";
import { whenLineHolds } from "./line";
import type { CellMark } from "./model";

/** How often a row that changed elsewhere in other fields is tried with its newest state. */
const REBASES = 3;

type Queue = { timer: ReturnType<typeof setTimeout> | null; running: Promise<void> | null };

export class RowSaves<Row extends object> {
  private readonly queues = new Map<RowId, Queue>();

  constructor(private readonly editor: EditorCore<Row>) {}

  /** Saves what is pending of a row, 300 ms after its last change. */
  schedule(id: RowId): void {
    const queue = this.queueOf(id);
    if (queue.timer) clearTimeout(queue.timer);
    queue.timer = setTimeout(() => {
      queue.timer = null;
      void this.flush(id);
    }, DEBOUNCE_MS);
  }

  /** Saves what is pending of these rows at once; resolves when nothing of them is on its way. */
  async settle(ids: Iterable<RowId>): Promise<void> {
    const started = [...ids].map((id) => {
      const queue = this.queues.get(id);
      if (!queue) return undefined;
      if (!queue.timer) return queue.running;
      clearTimeout(queue.timer);
      queue.timer = null;
      return this.flush(id);
    });
    await Promise.all(started);
  }

  private queueOf(id: RowId): Queue {
    const queue = this.queues.get(id) ?? { timer: null, running: null };
    this.queues.set(id, queue);
    return queue;
  }

  private async flush(id: RowId): Promise<void> {
    const queue = this.queueOf(id);
    // One after the other: the next request needs the version that this one leaves.
    while (queue.running) await queue.running;
    queue.running = this.send(id);
    await queue.running;
    queue.running = null;
    if (!queue.timer) this.queues.delete(id);
  }

  private async send(id: RowId): Promise<void> {
    const { editor } = this;
    await editor.released(id);
    let row = editor.rowOf(id);
    const sent = new Map(editor.cells.textsOf(id));
    if (!row || sent.size === 0) return;
    const isStored = (now: Row, column: string) =>
      editor.columnOf(column)?.edit?.value(now) === sent.get(column);
    for (const column of sent.keys()) if (isStored(row, column)) this.accept(id, column, sent);
    const due = [...sent].filter(([column]) => row && !isStored(row, column));
    if (due.length === 0) {
      editor.changed();
      return;
    }

    const operation = editor.begin("update", `Change ${editor.nameOf(id)}`, 1);
    const fail = (mark: (text: string, column: string) => CellMark, reason: string) => {
      for (const [column, text] of due) this.refuse(id, column, text, mark(text, column));
      editor.end(operation, [{ row: id, name: editor.nameOf(id), reason, cells: cellsOf(due) }]);
    };
    const cellsOf = (cells: readonly (readonly [string, string])[]) =>
      cells.map(([column, after]) => ({
        row: id,
        column,
        before: (row && editor.columnOf(column)?.edit?.value(row)) ?? "",
        after,
      }));

    for (let rebase = 0; ; rebase += 1) {
      const base: Row = row;
      try {
        const saved = await this.request(id, base, due, operation);
        editor.store([saved]);
        editor.advance(operation, [id], 100);
        for (const [column] of due) this.accept(id, column, sent);
        editor.end(operation, []);
        break;
      } catch (error) {
        const theirs = currentRow<Row>(error);
        if (!theirs) {
          const bad = this.blame(id, due, error);
          fail((text, column) => bad(text, column), problemText(error));
          break;
        }
        editor.store([theirs]);
        row = theirs;
        const differs = ([column, text]: [string, string]) => {
          const value = editor.columnOf(column)?.edit?.value;
          return value && value(theirs) !== value(base) && value(theirs) !== text;
        };
        if (due.some(differs) || rebase >= REBASES) {
          fail((text) => ({ state: "conflict", mine: text }), "Changed elsewhere meanwhile.");
          break;
        }
      }
    }
    editor.changed();
  }

  private request(
    id: RowId,
    row: Row,
    due: readonly [string, string][],
    operation: number,
  ): Promise<Row> {
    const { editor } = this;
    const call = { key: newIdempotencyKey() };
    const changes = changesOf<Row>(due, editor.desk.columns);
    const saving = () => {
      for (const [column] of due) editor.cells.mark(id, column, { state: "saving", progress: 0 });
      editor.advance(operation, [id], 0);
    };
    return whenLineHolds(
      () => {
        saving();
        return editor.saveOne(row, changes, call);
      },
      (waitsFor) => {
        for (const [column, text] of due) {
          editor.cells.mark(id, column, { state: "waiting", text, waitsFor });
        }
        editor.wait(operation, waitsFor);
      },
    );
  }

  /** Stored: unless the cell was changed again since, nothing is pending. */
  private accept(id: RowId, column: string, sent: ReadonlyMap<string, string>): void {
    const { editor } = this;
    const now = editor.cells.textsOf(id)?.get(column);
    if (now === sent.get(column)) {
      editor.cells.dropText(id, column);
      editor.accepted(id, column);
    } else this.schedule(id);
  }

  private refuse(id: RowId, column: string, text: string, mark: CellMark): void {
    const { editor } = this;
    if (editor.cells.textsOf(id)?.get(column) === text) editor.cells.dropText(id, column);
    else this.schedule(id);
    editor.refused(id, column, mark);
  }

  /** Which cell says what: the server's words for its fields, or the whole refusal. */
  private blame(id: RowId, due: readonly [string, string][], error: unknown) {
    const { editor } = this;
    const fields = problemFields(error);
    const wordsOf = (column: string, text: string) =>
      Object.keys(changesOf<Row>([[column, text]], editor.desk.columns))
        .flatMap((field) => fields[field] ?? [])
        .join(" ");
    const named = due.some(([column, text]) => wordsOf(column, text));
    const general = Object.values(fields).flat().join(" ") || problemText(error);
    return (text: string, column: string): CellMark => ({
      state: "error",
      text,
      message:
        wordsOf(column, text) ||
        (named ? `Not saved: another cell of ${editor.nameOf(id)} was refused.` : general),
    });
  }
}

/** The row as it is now, of a refusal that says that it changed elsewhere. */
function currentRow<Row>(error: unknown): Row | undefined {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: unknown };
  return code === "CONFLICT" && Array.isArray(data) ? (data[0] as Row | undefined) : undefined;
}
