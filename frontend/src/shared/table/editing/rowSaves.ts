/**
 * Sends edits of single rows: debounced by 300 ms, one request per row at a time, so that each
 * request carries the version that the one before returned.
 */
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { problemFields, problemText } from "@/shared/lib/problem";
import { DEBOUNCE_MS } from "@/shared/lib/useDebounced";
import { sendUntilAnswered } from "@/shared/outbox/reach";
import type { RowId } from "../column";
import { changesOf } from "./cells";
import { currentRow, type EditorCore } from "./core";
import type { CellMark } from "./model";

/** How often a save is retried with the row's newest state after other fields changed elsewhere. */
const REBASES = 3;

export class RowSaves<Row extends object> {
  private readonly timers = new Map<RowId, ReturnType<typeof setTimeout>>();

  constructor(private readonly editor: EditorCore<Row>) {}

  /** Saves the pending texts of a row, 300 ms after its last change. */
  schedule(id: RowId): void {
    clearTimeout(this.timers.get(id));
    const timer = setTimeout(() => {
      this.timers.delete(id);
      void this.flush(id);
    }, DEBOUNCE_MS);
    this.timers.set(id, timer);
  }

  /** Queues the pending texts of these rows now. */
  hurry(ids: Iterable<RowId>): void {
    for (const id of ids) {
      const timer = this.timers.get(id);
      if (timer === undefined) continue;
      clearTimeout(timer);
      this.timers.delete(id);
      void this.flush(id);
    }
  }

  /**
   * Saves the pending texts of these rows at once; resolves when none of their requests is running.
   */
  async settle(ids: readonly RowId[]): Promise<void> {
    do {
      this.hurry(ids);
      await this.editor.turns.free(ids);
    } while (ids.some((id) => this.timers.has(id)));
  }

  forget(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  private flush(id: RowId): Promise<void> {
    // A bulk request may claim cells whose texts are to be sent before it.
    const due = this.editor.cells.freeTextsOf(id);
    return this.editor.turns.take([id], () => this.send(id, due));
  }

  private async send(id: RowId, before: readonly (readonly [string, string])[]): Promise<void> {
    const { editor } = this;
    let row = editor.rowOf(id);
    const pending = editor.cells.textsOf(id);
    const isDue = ([column]: readonly [string, string]) => pending?.has(column);
    const sent = new Map([...before.filter(isDue), ...editor.cells.freeTextsOf(id)]);
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
        for (const [column, text] of due) {
          editor.restate(id, column, text, saved);
          this.accept(id, column, sent);
        }
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
          fail((text) => ({ state: "conflict", mine: text }), "Changed elsewhere in the meantime.");
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
    return sendUntilAnswered(
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

  /** The text was stored. Unless the cell was changed again meanwhile, it is no longer pending. */
  private accept(id: RowId, column: string, sent: ReadonlyMap<string, string>): void {
    const { editor } = this;
    if (this.isLast(id, column, sent.get(column))) {
      editor.cells.dropText(id, column);
      editor.accepted(id, column);
    } else this.schedule(id);
  }

  private refuse(id: RowId, column: string, text: string, mark: CellMark): void {
    const { editor } = this;
    const isLast = this.isLast(id, column, text);
    if (isLast) editor.cells.dropText(id, column);
    else this.schedule(id);
    // A newer text of the cell is being sent: its answer replaces this refusal.
    editor.refused(id, column, text, isLast ? mark : null);
  }

  /** Whether no other text follows this one: the same text may be typed again later. */
  private isLast(id: RowId, column: string, text: string | undefined): boolean {
    const { cells } = this.editor;
    return cells.textsOf(id)?.get(column) === text && cells.claimsOf(id, column) === 0;
  }

  /** The message of each cell: the server's text for its fields, or the whole refusal. */
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
