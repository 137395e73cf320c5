/** Rows that are deleted and made, as steps of the history. */
import { problemText } from "@/shared/lib/problem";
import { toast } from "@/shared/ui/toast";
import type { RowId } from "../column";
import { BULK_ROWS, sendRows } from "./bulkSaves";
import type { EditorCore } from "./core";
import { nameOf, refetch } from "./desk";
import { type History, type HistoryEntry, type KeptRow, putBack, renamed } from "./history";
import { type ActionType, WHOLE_ROW } from "./model";
import type { FailedRow } from "./operations";

type Owner<Row extends object> = EditorCore<Row> & {
  history: History;
  know: (rows: Iterable<Row>) => void;
  record: (act: { type: ActionType; label: string }, rows: readonly KeptRow[]) => HistoryEntry;
  undo: () => Promise<unknown>;
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

export class RowActs<Row extends object> {
  constructor(private readonly editor: Owner<Row>) {}

  /** Deletes rows; a toast offers to bring them back. Resolves with those that were refused. */
  delete(rows: readonly Row[]): Promise<FailedRow[]> {
    return this.editor.inTurn(async () => {
      const { editor } = this;
      editor.know(rows);
      const { desk } = editor;
      const kept = rows.map((row) => ({
        id: desk.idOf(row),
        name: nameOf(desk, row),
        draft: desk.draftOf?.(row) ?? null,
      }));
      const { done, failed } = await this.remove(kept);
      if (done.length === 0) return failed;
      const label = `Delete ${wordsFor(done)}`;
      const entry = editor.record({ type: "row-delete", label }, done);
      const canUndo = done.every(({ draft }) => draft !== null);
      toast.success(`${wordsFor(done)} deleted`, {
        ...(canUndo && { action: { label: "Undo", run: () => this.undoIfLast(entry) } }),
      });
      return failed;
    });
  }

  /** Makes rows. Resolves with them as stored. */
  create(drafts: readonly object[]): Promise<Row[]> {
    return this.editor.inTurn(async () => {
      const made = await this.make(drafts.map((draft) => ({ id: "", name: "", draft })));
      if (made.length) this.noteCreated(made.map(({ row }) => row));
      return made.map(({ row }) => row);
    });
  }

  /** Rows that somebody else has made: undoing it deletes them. */
  noteCreated(rows: readonly Row[]): void {
    const { editor } = this;
    editor.know(rows);
    const kept = rows.map((row) => ({
      id: editor.desk.idOf(row),
      name: nameOf(editor.desk, row),
      draft: editor.desk.draftOf?.(row) ?? null,
    }));
    editor.record({ type: "row-create", label: `Add ${wordsFor(kept)}` }, kept);
    editor.changed();
  }

  /** Undoes (`from` done) or redoes an entry of rows. */
  async replay(entry: HistoryEntry, from: "done" | "undone"): Promise<void> {
    const { editor } = this;
    const deletes = (entry.type === "row-create") === (from === "done");
    try {
      if (deletes) {
        const { done, failed } = await this.remove(entry.rows);
        if (done.length === 0) throw new Error(failed[0]?.reason);
      } else {
        if (entry.rows.some(({ draft }) => draft === null)) {
          throw new Error("This table cannot bring rows back.");
        }
        const made = await this.make(entry.rows);
        if (made.length === 0) throw new Error("None of the rows could be made again.");
        const ids = made.map(({ kept, row }) => [kept.id, editor.desk.idOf(row)] as const);
        editor.history = renamed(editor.history, new Map(ids));
      }
    } catch (error) {
      editor.history = putBack(editor.history, entry, from);
      toast.error(`Not ${from === "done" ? "undone" : "redone"}: ${problemText(error)}`);
    }
    editor.changed();
  }

  private undoIfLast(entry: HistoryEntry): void {
    if (this.editor.history.done.at(-1)?.id === entry.id) void this.editor.undo();
    else toast.info("Later changes are undone first: see the history.");
  }

  private async remove(kept: readonly KeptRow[]) {
    const { editor } = this;
    const kind = kept.length > 1 ? "bulk-delete" : "delete";
    const operation = editor.begin(kind, `Delete ${wordsFor(kept)}`, kept.length);
    const done: KeptRow[] = [];
    const failed: FailedRow[] = [];
    const rows = editor.rowsOf(kept.map(({ id }) => id));
    for (let start = 0; start < kept.length; start += BULK_ROWS) {
      const some = kept.slice(start, start + BULK_ROWS).filter(({ id }) => rows.has(id));
      for (const { id } of some) {
        editor.cells.mark(id, WHOLE_ROW, { state: "saving", progress: 0 });
      }
      const reasons = await this.removeSome(some, rows, operation);
      for (const one of some) {
        const reason = reasons.get(one.id);
        editor.cells.mark(one.id, WHOLE_ROW, null);
        if (reason === undefined) done.push(one);
        else failed.push({ row: one.id, name: one.name, reason, cells: [] });
      }
      editor.advance(
        operation,
        some.map(({ id }) => id),
        100,
      );
    }
    editor.end(operation, failed);
    if (failed.length) toast.error(`${wordsFor(failed)} not deleted: ${failed[0]?.reason}`);
    refetch(editor.desk);
    return { done, failed };
  }

  private async removeSome(
    some: readonly KeptRow[],
    rows: ReadonlyMap<RowId, Row>,
    operation: number,
  ): Promise<Map<RowId, string>> {
    const reasons = new Map<RowId, string>();
    const doomed = some.flatMap(({ id }) => rows.get(id) ?? []);
    try {
      const request = { delete: doomed, atomic: false };
      for (const outcome of await sendRows(this.editor, request, operation, some)) {
        const one = some[outcome.index];
        if (one && !outcome.ok) reasons.set(one.id, outcome.message ?? "Refused.");
      }
    } catch (error) {
      for (const { id } of some) reasons.set(id, problemText(error));
    }
    return reasons;
  }

  private async make(kept: readonly KeptRow[]): Promise<{ kept: KeptRow; row: Row }[]> {
    const { editor } = this;
    const label = `Add ${kept.length === 1 ? "a row" : `${kept.length} rows`}`;
    const operation = editor.begin("create", label, kept.length);
    const made: { kept: KeptRow; row: Row }[] = [];
    const failed: FailedRow[] = [];
    try {
      for (let start = 0; start < kept.length; start += BULK_ROWS) {
        const some = kept.slice(start, start + BULK_ROWS);
        const create = some.map(({ draft }) => draft ?? {});
        const outcomes = await sendRows(editor, { create, atomic: false }, operation);
        for (const { index, ok, row, message } of outcomes) {
          const one = some[index];
          if (!one) continue;
          if (ok && row) made.push({ kept: one, row });
          else failed.push({ row: one.id, name: one.name, reason: message ?? "", cells: [] });
        }
        editor.advance(
          operation,
          some.map(({ id }, index) => id || String(start + index)),
          100,
        );
      }
    } finally {
      editor.know(made.map(({ row }) => row));
      editor.end(operation, failed);
      refetch(editor.desk);
    }
    return made;
  }
}

function wordsFor(rows: readonly { name: string }[]): string {
  return rows.length === 1 ? (rows[0]?.name ?? "a row") : `${rows.length} rows`;
}
