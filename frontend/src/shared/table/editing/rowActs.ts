/** Deletes and creates rows, saves forms and notes acts of the server, as steps of the history. */

import { problemText } from "@/shared/lib/problem";
import { keysOf } from "@/shared/lib/records";
import { renamed } from "@/shared/outbox/history";
import { outbox } from "@/shared/outbox/theOutbox";
import { toast } from "@/shared/ui/toast";
import type { RowId } from "../column";
import { GONE, type GridStep, presence, THERE } from "./model";
import { BULK_ROWS, currentRow, outcomesOf } from "./requests";
import type { Saves } from "./saves";
import type { FailedRow } from "./syncOperations";
import type { TableRows } from "./tableRows";

/** Records a page's act on rows as a step of the history; `takeBack` undoes it on the server. */
export type NotedAct = Pick<GridStep, "type" | "label" | "takeBack" | "again" | "acts">;

export class RowActs<Row extends object> {
  constructor(
    private readonly table: TableRows<Row>,
    private readonly saves: Saves<Row>,
  ) {}

  /** Deletes rows; a toast offers to restore them. Resolves with the refused rows. */
  async delete(chosen: readonly Row[]): Promise<FailedRow[]> {
    const { table, saves } = this;
    const { operations } = saves;
    const { idOf } = table.desk;
    // A second press on the same button has no effect.
    const rows = chosen.filter((row) => !saves.isLeaving(idOf(row)));
    if (rows.length === 0) return [];
    table.know(rows.filter((row) => !table.rowOf(idOf(row))));
    const ids = rows.map(idOf);
    const words = (some: readonly RowId[]) =>
      some.length === 1 ? table.nameOf(some[0] ?? "") : `${some.length} rows`;
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
    const { saves } = this;
    const { operations } = saves;
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
    const { table, saves } = this;
    const { label } = saves.recordCreated(rows);
    const operation = saves.sync.begin("create", label, rows.length);
    saves.sync.advance(operation, rows.map(table.desk.idOf), 100);
    saves.endLog(operation, []);
  }

  /** Records an act of the server as a step. Returns the function that its toast's undo runs. */
  noteAct(act: NotedAct): () => void {
    const step = this.saves.operations.record({ ...act, changes: [] });
    return () => this.undoIfLast(step);
  }

  /**
   * Saves a form's changes of a row at once, as one step; a toast offers to undo it. Throws the
   * server's refusals, which the form shows.
   */
  async saveForm(opened: Row, changes: Partial<Row>): Promise<void> {
    const { table } = this;
    const id = table.desk.idOf(opened);
    table.know([opened]);
    const now = table.rowOf(id) ?? opened;
    // This page's changes of other fields stay. If the same field was changed elsewhere, it is a
    // conflict.
    const base = keysOf(changes).every((name) => now[name] === opened[name]) ? now : opened;
    const step = await this.saveWhole(id, base, changes);
    table.changed();
    if (!step) return;
    toast.success(`${table.nameOf(id)} changed`, {
      action: { label: "Undo", run: () => this.undoIfLast(step) },
    });
  }

  private async saveWhole(id: RowId, base: Row, changes: Partial<Row>): Promise<GridStep | null> {
    const { table, saves } = this;
    const label = `Change ${table.nameOf(id)}`;
    const operation = saves.sync.begin("update", label, 1);
    try {
      const saved = await this.send(id, base, changes, label);
      if (!saved) {
        saves.endLog(operation, []);
        return null;
      }
      table.store([saved]);
      saves.sync.advance(operation, [id], 100);
      saves.endLog(operation, []);
      const cells = table.desk.columns.flatMap(({ id: column, edit }) => {
        const [before, after] = [edit?.value(base) ?? "", edit?.value(saved) ?? ""];
        return before === after ? [] : [{ row: id, column, before, after }];
      });
      return cells.length
        ? saves.operations.record({ type: "cell-edit", label, changes: cells })
        : null;
    } catch (error) {
      const theirs = currentRow<Row>(error);
      if (theirs) table.store([theirs]);
      const reason = problemText(error);
      saves.endLog(operation, [{ row: id, name: table.nameOf(id), reason, cells: [] }]);
      throw error;
    }
  }

  /** After what was typed into the row's cells. Null: it is kept, and sent when the server answers. */
  private async send(id: RowId, base: Row, changes: Partial<Row>, words: string) {
    const { desk, key } = this.table;
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
    const { operations } = this.saves;
    if (operations.history.done.at(-1)?.id === step.id) void operations.undo();
    else toast.info("Later changes are undone first: see the history.");
  }
}
