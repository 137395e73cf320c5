/** The requests of a table's editor: what each call asks the server for, and how it answers. */

import { problemText, withLabel } from "@/shared/lib/problem";
import { isRecord, memberOf, rowsWith } from "@/shared/lib/records";
import type { Refused } from "@/shared/outbox/outbox";
import type { NewRequest } from "@/shared/outbox/unsent";
import type { RowId } from "../column";
import { changesOf } from "./cells";
import type { Desk } from "./desk";
import type { BulkOutcome, CellChange, Sent } from "./model";

/** The most rows that one request may change. */
export const BULK_ROWS = 1000;

/** One request of the editor, as the outbox keeps it: plain data. */
export type GridCall = {
  key: string;
  kind: "update" | "delete" | "restore" | "create";
  rows: readonly RowId[];
  /** They go together, apart from the other changes of these rows; "": alone. */
  group: string;
  /** `before` is what was to be seen when the call was made. */
  cells: readonly CellChange[];
  drafts?: readonly object[];
  atomic: boolean;
  words: string;
};

/** `rowOf`: a row as it will be once the calls before are answered. */
export function wireOfCall<Row extends object>(
  { desk }: { desk: Desk<Row> },
  call: GridCall,
  rowOf: (id: RowId) => Row | undefined,
): Sent & Pick<NewRequest, "seen"> {
  const { save, saveRows, columns } = desk;
  const { kind, rows, atomic, drafts = [] } = call;
  const texts = byRow(call.cells);
  const changes = (id: RowId) =>
    changesOf<Row>(
      (texts.get(id) ?? []).map(({ column, after }) => [column, after] as const),
      columns,
    );
  const bases = rows.flatMap((id) => rowOf(id) ?? []);
  const [only] = bases;
  if (kind === "update" && call.group === "" && only && save) {
    const wire = save(only, changes(rows[0] ?? ""));
    const names = Object.keys(wire.body ?? {}).filter((name) => name !== "updatedAt");
    const seen = Object.fromEntries(names.map((name) => [name, memberOf(only, name)]));
    return { ...wire, seen };
  }
  if (!saveRows && kind === "update" && only && save) return save(only, changes(rows[0] ?? ""));
  if (!saveRows) throw new Error("This table saves one row at a time.");
  if (kind === "update") {
    const update = bases.map((row) => ({ row, changes: changes(desk.idOf(row)) }));
    return saveRows({ update, atomic: call.group === "" || atomic });
  }
  if (kind === "delete") return saveRows({ delete: bases, atomic: false });
  if (kind === "restore") return saveRows({ restore: rows, atomic: false });
  return saveRows({ create: drafts, atomic: false });
}

/** Whether an answer tells of each row: that of a request for many. */
const isOutcome = <Row>(row: unknown): row is BulkOutcome<Row> =>
  isRecord(row) && "ok" in row && "index" in row;

/** What an answer says of each row of its call. */
export function outcomesOf<Row>(data: readonly unknown[]): BulkOutcome<Row>[] {
  return data.map(
    (row, index) =>
      isOutcome<Row>(row)
        ? { ...row, message: row.message && withLabel(row.message) }
        : outcomeOf<Row>(index, { row: row as Row }), // as the path of one row answers
  );
}

/**
 * What a refusal says of the rows of its call. Of a call for all rows or none it names those that
 * caused it: `{"update.3": {price: ["…"]}}`.
 */
export function refusedOutcomes<Row extends object>(
  { atomic, rows, drafts, group }: GridCall,
  error: unknown,
  idOf: (row: Row) => RowId,
): BulkOutcome<Row>[] {
  const named = atomic && group ? readRefused<Row>(rows, error, idOf) : [];
  if (named.length > 0) return named;
  const message = problemText(error);
  const count = drafts?.length ?? rows.length;
  return Array.from({ length: count }, (_, index) => outcomeOf<Row>(index, { message }));
}

function readRefused<Row extends object>(
  ids: readonly RowId[],
  error: unknown,
  idOf: (row: Row) => RowId,
): BulkOutcome<Row>[] {
  const { fields = {}, data = [], code } = (error ?? {}) as Partial<Refused>;
  const rows = data as readonly Row[]; // those that another tab or user changed, as they are now
  return Object.entries(fields as Record<string, unknown>).flatMap(([place, why]) => {
    const index = Number(/^update\.(\d+)$/.exec(place)?.[1] ?? -1);
    if (index < 0 || !isRecord(why)) return [];
    const row = rows.find((each) => idOf(each) === ids[index]) ?? null;
    const message = Object.values(why).flat().join(" ");
    return outcomeOf<Row>(index, { code: row ? "CONFLICT" : (code ?? null), message, row });
  });
}

/** The current row in a refusal that reports a conflict. */
export function currentRow<Row extends object>(error: unknown): Row | undefined {
  if (memberOf(error, "code") !== "CONFLICT") return undefined;
  return rowsWith<Row>(memberOf(error, "data"))[0];
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
