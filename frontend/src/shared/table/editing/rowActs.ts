/** Deletes and creates rows, saves forms and notes acts of the server, as steps of the history. */

import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { problemText } from "@/shared/lib/problem";
import { keysOf } from "@/shared/lib/records";
import { renamed } from "@/shared/outbox/history";
import { toast } from "@/shared/ui/toast";
import type { RowId } from "../column";
import { currentRow, type EditorCore, type GridStep } from "./core";
import { type CellChange, GONE, THERE, WHOLE_ROW } from "./model";
import { BULK_ROWS } from "./requests";
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
    const { operations } = this.editor;
    return operations.inOrder(async () => {
      const made: Row[] = [];
      for (let start = 0; start < drafts.length; start += BULK_ROWS) {
        const some = drafts.slice(start, start + BULK_ROWS);
        const key = newIdempotencyKey();
        const none = { rows: [], group: "", cells: [], bases: [], atomic: false };
        const outcomes = await operations.sendAlone({ ...none, key, kind: "create", drafts: some });
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
    // Texts typed into its cells before are saved first.
    editor.operations.hurry([id]);
    const step = await editor.operations.inTurn([id], async () => {
      const now = editor.rowOf(id) ?? opened;
      const names = keysOf(changes);
      // This page's changes of other fields stay. If the same field was changed elsewhere, it is a
      // conflict.
      const base = names.every((name) => now[name] === opened[name]) ? now : opened;
      return this.saveWhole(id, base, changes);
    });
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
      const saved = await editor.saveOne(base, changes, { key: newIdempotencyKey() });
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

  private undoIfLast(step: GridStep): void {
    const { operations } = this.editor;
    if (operations.history.done.at(-1)?.id === step.id) void operations.undo();
    else toast.info("Later changes are undone first: see the history.");
  }
}

const presence = (ids: readonly RowId[], before: string, after: string): CellChange[] =>
  ids.map((row) => ({ row, column: WHOLE_ROW, before, after }));
