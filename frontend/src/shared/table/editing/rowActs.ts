/** Deletes and creates rows, as steps of the history. */
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { problemText } from "@/shared/lib/problem";
import { toast } from "@/shared/ui/toast";
import type { RowId } from "../column";
import { BULK_ROWS, sendRows } from "./bulkSaves";
import { currentRow, type EditorCore } from "./core";
import { nameOf, refetch } from "./desk";
import {
  dropped,
  type History,
  type HistoryEntry,
  type KeptRow,
  putBack,
  renamed,
} from "./history";
import { type ActionType, type CellChange, WHOLE_ROW } from "./model";
import type { FailedRow } from "./operations";

type Owner<Row extends object> = EditorCore<Row> & {
  history: History;
  know: (rows: Iterable<Row>) => void;
  record: (act: NotedAct, rows: readonly KeptRow[], cells?: readonly CellChange[]) => HistoryEntry;
  undo: () => Promise<unknown>;
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

/** Records a page's act on rows as a step of the history; `takeBack` undoes it on the server. */
export type NotedAct = { type: ActionType; label: string; takeBack?: () => Promise<unknown> };

export class RowActs<Row extends object> {
  /** Rows that are being or have been deleted. Rows still on the screen cannot be edited. */
  private readonly leaving = new Set<RowId>();
  /** Rows that are being deleted or created and are not yet a step of the history. */
  private unrecorded = 0;

  constructor(private readonly editor: Owner<Row>) {}

  get underway(): boolean {
    return this.unrecorded > 0;
  }

  private leave(id: RowId): void {
    this.leaving.add(id);
    this.editor.cells.mark(id, WHOLE_ROW, { state: "saving", progress: 0 });
  }

  private stay(id: RowId): void {
    this.leaving.delete(id);
    this.editor.cells.mark(id, WHOLE_ROW, null);
  }

  isLeaving(id: RowId): boolean {
    return this.leaving.has(id);
  }

  private async recording<Result>(work: () => Promise<Result>): Promise<Result> {
    this.unrecorded += 1;
    try {
      return await this.editor.inTurn(work);
    } finally {
      this.unrecorded -= 1;
      this.editor.changed();
    }
  }

  /** Deletes rows; a toast offers to restore them. Resolves with the refused rows. */
  delete(chosen: readonly Row[]): Promise<FailedRow[]> {
    const { editor } = this;
    const { idOf } = editor.desk;
    // A second press on the same button has no effect.
    const rows = chosen.filter((row) => !this.leaving.has(idOf(row)));
    const ids = rows.map(idOf);
    for (const id of ids) this.leave(id);
    editor.changed();
    if (rows.length === 0) return Promise.resolve([]);
    return this.recording(async () => {
      editor.know(rows.filter((row) => !editor.rowOf(idOf(row))));
      const { desk } = editor;
      // Unsaved texts are saved first, so that undo restores them too.
      editor.rowSaves.hurry(ids);
      const { done, failed } = await editor.turns.take(ids, () => this.remove(this.kept(rows)));
      if (done.length === 0) return failed;
      const label = `Delete ${wordsFor(done)}`;
      const entry = editor.record({ type: "row-delete", label }, done);
      const canUndo = desk.restores || done.every(({ draft }) => draft !== null);
      toast.success(`${wordsFor(done)} deleted`, {
        ...(canUndo && { action: { label: "Undo", run: () => this.undoIfLast(entry) } }),
      });
      return failed;
    });
  }

  /** Creates rows. Resolves with the stored rows. */
  create(drafts: readonly object[]): Promise<Row[]> {
    return this.recording(async () => {
      const made = await this.make(drafts.map((draft) => ({ id: "", name: "", draft })));
      if (made.length) this.recordCreated(made.map(({ row }) => row));
      return made.map(({ row }) => row);
    });
  }

  /** Records rows that other code created: undo deletes them. */
  noteCreated(rows: readonly Row[]): void {
    const { editor } = this;
    const label = this.recordCreated(rows);
    const operation = editor.begin("create", label, rows.length);
    editor.advance(operation, rows.map(editor.desk.idOf), 100);
    editor.end(operation, []);
  }

  private recordCreated(rows: readonly Row[]): string {
    const { editor } = this;
    editor.know(rows);
    const kept = this.kept(rows);
    const label = `Add ${wordsFor(kept)}`;
    editor.record({ type: "row-create", label }, kept);
    editor.changed();
    return label;
  }

  /** Records an act of the server as a step. Returns the function that its toast's undo runs. */
  noteAct(act: NotedAct): () => void {
    const entry = this.editor.record(act, []);
    this.editor.changed();
    return () => this.undoIfLast(entry);
  }

  /**
   * Saves a form's changes of a row at once, as one step; a toast offers to undo it. Throws the
   * server's refusals, which the form shows.
   */
  async saveForm(opened: Row, changes: Partial<Row>): Promise<void> {
    const { editor } = this;
    const id = editor.desk.idOf(opened);
    editor.know([opened]);
    // Texts typed into its cells before are saved first.
    editor.rowSaves.hurry([id]);
    const entry = await editor.turns.take([id], async () => {
      const now = editor.rowOf(id) ?? opened;
      const names = Object.keys(changes) as (keyof Row)[]; // names of Row, as its type ensures
      // This page's changes of other fields stay. If the same field was changed elsewhere, it is a
      // conflict.
      const base = names.every((name) => now[name] === opened[name]) ? now : opened;
      return this.saveWhole(id, base, changes);
    });
    editor.changed();
    if (!entry) return;
    toast.success(`${editor.nameOf(id)} changed`, {
      action: { label: "Undo", run: () => this.undoIfLast(entry) },
    });
  }

  private async saveWhole(
    id: RowId,
    base: Row,
    changes: Partial<Row>,
  ): Promise<HistoryEntry | null> {
    const { editor } = this;
    const label = `Change ${editor.nameOf(id)}`;
    const operation = editor.begin("update", label, 1);
    try {
      const saved = await editor.saveOne(base, changes, { key: newIdempotencyKey() });
      editor.store([saved]);
      editor.advance(operation, [id], 100);
      editor.end(operation, []);
      const cells = editor.desk.columns.flatMap(({ id: column, edit }) => {
        const [before, after] = [edit?.value(base) ?? "", edit?.value(saved) ?? ""];
        return before === after ? [] : [{ row: id, column, before, after }];
      });
      return cells.length ? editor.record({ type: "cell-edit", label }, [], cells) : null;
    } catch (error) {
      const theirs = currentRow<Row>(error);
      if (theirs) editor.store([theirs]);
      const reason = problemText(error);
      editor.end(operation, [{ row: id, name: editor.nameOf(id), reason, cells: [] }]);
      throw error;
    }
  }

  /** Undoes an act on the server. */
  async takeBack(entry: HistoryEntry): Promise<void> {
    const { editor } = this;
    try {
      await entry.takeBack?.();
      editor.history = dropped(editor.history, entry.id);
    } catch (error) {
      editor.history = putBack(editor.history, entry, "done");
      toast.error(`Not undone: ${problemText(error)}`);
    }
    editor.changed();
  }

  /** The stored rows with the data that restores them. */
  private kept(rows: readonly Row[]): KeptRow[] {
    const { desk, rowOf } = this.editor;
    return rows.map((given) => {
      const id = desk.idOf(given);
      const row = rowOf(id) ?? given;
      return { id, name: nameOf(desk, row), draft: desk.draftOf?.(row) ?? null };
    });
  }

  /** Undoes (`from` done) or redoes an entry of rows. */
  async replay(entry: HistoryEntry, from: "done" | "undone"): Promise<void> {
    const { editor } = this;
    const deletes = (entry.type === "row-create") === (from === "done");
    try {
      if (deletes) {
        const ids = entry.rows.map(({ id }) => id);
        editor.rowSaves.hurry(ids);
        const { done, failed } = await editor.turns.take(ids, () => this.remove(entry.rows));
        if (done.length === 0) throw new Error(failed[0]?.reason);
      } else {
        if (!editor.desk.restores && entry.rows.some(({ draft }) => draft === null)) {
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
      for (const { id } of some) this.leave(id);
      const reasons = await this.removeSome(some, rows, operation);
      for (const one of some) {
        const reason = reasons.get(one.id);
        if (reason === undefined) {
          done.push(one);
          for (const [column, text] of editor.cells.textsOf(one.id) ?? []) {
            editor.refused(one.id, column, text, null);
          }
          editor.cells.drop(one.id);
          // Resolves when the list has been fetched without the row.
          editor.cells.mark(one.id, WHOLE_ROW, { state: "saving", progress: 100 });
          continue;
        }
        this.stay(one.id);
        failed.push({ row: one.id, name: one.name, reason, cells: [] });
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
    const isComingBack = editor.desk.restores === true && kept.every(({ id }) => id !== "");
    const made: { kept: KeptRow; row: Row }[] = [];
    const failed: FailedRow[] = [];
    try {
      for (let start = 0; start < kept.length; start += BULK_ROWS) {
        const some = kept.slice(start, start + BULK_ROWS);
        const request = isComingBack
          ? { restore: some.map(({ id }) => id), atomic: false }
          : { create: some.map(({ draft }) => draft ?? {}), atomic: false };
        const outcomes = await sendRows(editor, request, operation);
        for (const { index, ok, row, message } of outcomes) {
          const one = some[index];
          if (!one) continue;
          if (ok && row) {
            made.push({ kept: one, row });
            this.stay(editor.desk.idOf(row));
          } else failed.push({ row: one.id, name: one.name, reason: message ?? "", cells: [] });
        }
        editor.advance(
          operation,
          some.map(({ id }, index) => id || String(start + index)),
          100,
        );
      }
      if (failed.length && made.length) {
        toast.error(`${wordsFor(failed)} not brought back: ${failed[0]?.reason}`);
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
