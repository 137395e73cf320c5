/** Deletes and creates rows, saves forms and notes acts of the server, as steps of the history. */

import { problemText } from "@/shared/lib/problem";
import { keysOf } from "@/shared/lib/records";
import { renamed } from "@/shared/outbox/history";
import { outbox } from "@/shared/outbox/theOutbox";
import { toast } from "@/shared/ui/toast";
import type { RowId } from "../column";
import { currentRow, type EditorCore, type GridStep } from "./core";
import { type CellChange, GONE, THERE, WHOLE_ROW } from "./model";
import { BULK_ROWS, outcomesOf } from "./requests";
import type { GridOperations, Saves } from "./saves";
import type { FailedRow } from "./syncOperations";

/** Records a page's act on rows as a step of the history; `takeBack` undoes it on the server. */
export type NotedAct = Pick<GridStep, "type" | "label" | "takeBack" | "again" | "acts">;

type Owner<Row extends object> = EditorCore<Row> & {
  readonly operations: GridOperations<Row>;
  readonly saves: Saves<Row>;
};

export class RowActs<Row extends object> {
  constructor(private readonly editor: Owner<Row>) {}

  /** Deletes rows; a toast offers to restore them. Resolves with the refused rows. */
  async delete(chosen: readonly Row[]): Promise<FailedRow[]> {
    const { editor } = this;
    const { operations, saves } = editor;
    const { idOf } = editor.desk;
    // A second press on the same button has no effect.
    const rows = chosen.filter((row) => !saves.isLeaving(idOf(row)));
    if (rows.length === 0) return [];
    editor.know(rows.filter((row) => !editor.rowOf(idOf(row))));
    const ids = rows.map(idOf);
    const words = (some: readonly RowId[]) =>
      some.length === 1 ? editor.nameOf(some[0] ?? "") : `${some.length} rows`;
    const label = (some: readonly RowId[]) => `Delete ${words(some)}`;
    const changes = presence(ids, THERE, GONE);
    const { id } = await operations.do({ type: "row-delete", label: label(ids), changes });
    const { failed } = saves.takeOutcome(id);
    const refused = new Set(failed.map(({ row }) => row));
    const done = ids.filter((one) => !refused.has(one));
    if (failed.length > 0) operations.history = renamed(operations.history, id, label(done));
    const step = operations.history.done.find((one) => one.id === id);
    if (step) {
      const run = () => this.undoIfLast(step);
      toast.success(`${words(done)} deleted`, { action: { label: "Undo", run } });
    }
    return failed;
  }

  /** Creates rows. Resolves with the stored rows. */
  create(drafts: readonly object[]): Promise<Row[]> {
    const { operations, saves } = this.editor;
    return operations.inOrder(async () => {
      const made: Row[] = [];
      for (let start = 0; start < drafts.length; start += BULK_ROWS) {
        const outcomes = await saves.create(drafts.slice(start, start + BULK_ROWS));
        made.push(...outcomes.flatMap(({ ok, row }) => (ok && row ? row : [])));
      }
      return made;
    });
  }

  /** Records rows that other code created: undo deletes them. */
  noteCreated(rows: readonly Row[]): void {
    const { editor } = this;
    const { label } = this.recordCreated(rows);
    const operation = editor.begin("create", label, rows.length);
    editor.advance(operation, rows.map(editor.desk.idOf), 100);
    editor.end(operation, []);
  }

  recordCreated(rows: readonly Row[]): GridStep {
    const { editor } = this;
    editor.know(rows);
    const ids = rows.map(editor.desk.idOf);
    const names = ids.length === 1 ? editor.nameOf(ids[0] ?? "") : `${ids.length} rows`;
    const changes = presence(ids, GONE, THERE);
    return editor.record({ type: "row-create", label: `Add ${names}`, changes });
  }

  /** Records an act of the server as a step. Returns the function that its toast's undo runs. */
  noteAct(act: NotedAct): () => void {
    const step = this.editor.record({ ...act, changes: [] });
    return () => this.undoIfLast(step);
  }

  /**
   * Saves a form's changes of a row at once, as one step; a toast offers to undo it. Throws the
   * server's refusals, which the form shows.
   */
  async saveForm(opened: Row, changes: Partial<Row>): Promise<void> {
    const { editor } = this;
    const id = editor.desk.idOf(opened);
    editor.know([opened]);
    const now = editor.rowOf(id) ?? opened;
    // This page's changes of other fields stay. If the same field was changed elsewhere, it is a
    // conflict.
    const base = keysOf(changes).every((name) => now[name] === opened[name]) ? now : opened;
    const step = await this.saveWhole(id, base, changes);
    editor.changed();
    if (!step) return;
    toast.success(`${editor.nameOf(id)} changed`, {
      action: { label: "Undo", run: () => this.undoIfLast(step) },
    });
  }

  private async saveWhole(id: RowId, base: Row, changes: Partial<Row>): Promise<GridStep | null> {
    const { editor } = this;
    const label = `Change ${editor.nameOf(id)}`;
    const operation = editor.begin("update", label, 1);
    try {
      const saved = await this.send(id, base, changes, label);
      if (!saved) {
        editor.end(operation, []);
        return null;
      }
      editor.store([saved]);
      editor.advance(operation, [id], 100);
      editor.end(operation, []);
      const cells = editor.desk.columns.flatMap(({ id: column, edit }) => {
        const [before, after] = [edit?.value(base) ?? "", edit?.value(saved) ?? ""];
        return before === after ? [] : [{ row: id, column, before, after }];
      });
      return cells.length ? editor.record({ type: "cell-edit", label, changes: cells }) : null;
    } catch (error) {
      const theirs = currentRow<Row>(error);
      if (theirs) editor.store([theirs]);
      const reason = problemText(error);
      editor.end(operation, [{ row: id, name: editor.nameOf(id), reason, cells: [] }]);
      throw error;
    }
  }

  /** After what was typed into the row's cells. Null: it is kept, and sent when the server answers. */
  private async send(id: RowId, base: Row, changes: Partial<Row>, words: string) {
    const { desk, key } = this.editor;
    const update = { update: [{ row: base, changes }], atomic: true };
    const wire = desk.save?.(base, changes) ?? desk.saveRows?.(update);
    if (!wire) throw new Error("This table is read only.");
    const answer = await outbox.send({
      ...wire,
      kind: "forms",
      rows: [`${key} ${id}`],
      words,
      to: `${location.pathname}${location.search}`,
      stale: [...(wire.stale ?? []), desk.source.key],
    });
    const [outcome] = answer ? outcomesOf<Row>(answer) : [];
    if (outcome && !outcome.ok) {
      throw Object.assign(new Error(outcome.message ?? "Not saved."), { code: outcome.code });
    }
    return outcome?.row ? { ...base, ...outcome.row } : null;
  }

  private undoIfLast(step: GridStep): void {
    const { operations } = this.editor;
    if (operations.history.done.at(-1)?.id === step.id) void operations.undo();
    else toast.info("Later changes are undone first: see the history.");
  }
}

const presence = (ids: readonly RowId[], before: string, after: string): CellChange[] =>
  ids.map((row) => ({ row, column: WHOLE_ROW, before, after }));
