/** The requests of a table's editor: what each call asks the server for. */

import { problemText } from "@/shared/lib/problem";
import { memberOf } from "@/shared/lib/records";
import type { Call as SentCall } from "@/shared/outbox/operations";
import { waitsFor } from "@/shared/outbox/reach";
import type { RowId } from "../column";
import { changesOf } from "./cells";
import { currentRow, type EditorCore } from "./core";
import type { BulkOutcome, Call, CellChange } from "./model";

/** The most rows that one request may change. */
export const BULK_ROWS = 1000;
/** Rows saved in parallel where each needs a request. */
const AT_A_TIME = 4;

export type GridCall<Row> = SentCall & {
  kind: "update" | "delete" | "restore" | "create";
  /** `before` is what was stored when the call was made. */
  cells: readonly CellChange[];
  /** The rows as they were known then. */
  bases: readonly Row[];
  drafts?: readonly object[];
  atomic: boolean;
};

/** Sends a call. `onRow` is called after each row that has a request of its own. */
export async function sendCall<Row extends object>(
  editor: EditorCore<Row>,
  call: GridCall<Row>,
  onRow: (row: RowId) => void,
): Promise<BulkOutcome<Row>[]> {
  const { kind, group, bases, atomic, drafts = [], key } = call;
  const { saveRows } = editor.desk;
  const texts = byRow(call.cells);
  const changes = (id: RowId) =>
    changesOf<Row>(
      (texts.get(id) ?? []).map(({ column, after }) => [column, after] as const),
      editor.desk.columns,
    );
  const update = call.rows.flatMap((id, index) => {
    const row = bases[index];
    return row ? { row, changes: changes(id) } : [];
  });
  const [only] = update;
  if (kind === "update" && group === "" && only) {
    const row = await editor.saveOne(only.row, only.changes, { key });
    return [outcomeOf(0, { row })];
  }
  if (!saveRows && kind === "update") return saveEach(editor, call, update, onRow);
  if (!saveRows) throw new Error("This table saves one row at a time.");
  if (kind === "update") return saveRows({ update, atomic }, { key });
  if (kind === "delete") return saveRows({ delete: bases, atomic: false }, { key });
  if (kind === "restore") return saveRows({ restore: call.rows, atomic: false }, { key });
  return saveRows({ create: drafts, atomic: false }, { key });
}

/** A request for each row, where a page has no bulk request. */
async function saveEach<Row extends object>(
  editor: EditorCore<Row>,
  call: GridCall<Row>,
  update: readonly { row: Row; changes: Partial<Row> }[],
  onRow: (row: RowId) => void,
): Promise<BulkOutcome<Row>[]> {
  const outcomes: BulkOutcome<Row>[] = [];
  const next = update.entries();
  const work = async () => {
    for (const [index, { row, changes }] of next) {
      const key: Call = { key: `${call.key}-${index}` };
      try {
        const saved = await editor.saveOne(row, changes, key);
        outcomes.push(outcomeOf(index, { row: saved }));
      } catch (error) {
        if (waitsFor(error)) throw error;
        const code = memberOf(error, "code");
        const refusal = { code: typeof code === "string" ? code : null };
        const theirs = currentRow<Row>(error) ?? null;
        outcomes.push(outcomeOf(index, { ...refusal, row: theirs, message: problemText(error) }));
      }
      onRow(call.rows[index] ?? "");
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return outcomes;
}

/** The cells of each row. */
export function byRow(cells: readonly CellChange[]): Map<RowId, CellChange[]> {
  const rows = new Map<RowId, CellChange[]>();
  for (const cell of cells) {
    const own = rows.get(cell.row);
    if (own) own.push(cell);
    else rows.set(cell.row, [cell]);
  }
  return rows;
}

/** An outcome of one row; with a message it is a refusal. */
export function outcomeOf<Row>(index: number, given: Partial<BulkOutcome<Row>>): BulkOutcome<Row> {
  const none = { action: "update", id: null, code: null, message: null, row: null } as const;
  return { ...none, index, ok: given.message === undefined, ...given };
}
