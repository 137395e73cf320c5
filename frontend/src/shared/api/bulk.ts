/** Many rows in one request, with a result for each row: `POST /api/<resource>/bulk`. */
import { withLabel } from "@/shared/lib/problem";
import { type CallConfig, request } from "./client";
import { ApiError } from "./errors";
import type { PathOf, RowOf, Schema } from "./wire";

/** One call of a table. Sent again with the same key, it is carried out once. */
export type KeyedCall = { key: string };

export type BulkRequest<Row> = {
  create?: readonly object[];
  update?: readonly { row: Row; changes: Partial<Row> }[];
  delete?: readonly Row[];
  /** Ids of deleted rows. The server restores these rows with all their fields. */
  restore?: readonly string[];
  /** All rows or none. */
  atomic: boolean;
};

export type BulkAction = Schema<"ActionEnum">;

/**
 * The result of one row: `index` is its place in its list, `row` the row as stored. After a
 * conflict, `row` is the row as it is now.
 */
export type BulkOutcome<Row> = Omit<Schema<"BulkResultRow">, "row"> & { row: Row | null };

/** The client's configuration that carries a call's key. */
export const keyed = (call?: KeyedCall): CallConfig =>
  call ? { headers: { "Idempotency-Key": call.key } } : {};

/** A change of one row, as the page has seen it. */
export type RowEdit<Row, Changes = Partial<Row>> = { row: Row; changes: Changes; call?: KeyedCall };

/** What is sent of it. The server refuses it with CONFLICT where the row was changed since. */
export const sentOfEdit = <Changes>({
  row,
  changes,
  call,
}: RowEdit<{ id: number; updatedAt: string }, Changes>) => ({
  path: { id: row.id },
  body: { ...changes, updatedAt: row.updatedAt },
  ...keyed(call),
});

/** A thousand rows take longer than one. */
const BULK_TIMEOUT_MS = 120_000;

type BulkPath = Extract<PathOf<"post">, `${string}/bulk`>;
/** The list whose rows such a path changes. */
type ListOf<Path> = Path extends `${infer List}/bulk` ? Extract<List, PathOf<"get">> : never;

/** What a table needs to change many rows of a resource: `bulkOf`, typed by the schema. */
export const bulkRows = <Path extends BulkPath>(path: Path) =>
  bulkOf<RowOf<"get", ListOf<Path>>>(path);

/**
 * The function with which a table changes many rows of a resource. Each row is sent with the
 * `updatedAt` that the page has seen. When the server refuses an atomic request, only the refused
 * rows come back and nothing was changed.
 */
export function bulkOf<Row extends { id: number; updatedAt?: string }>(endpoint: string) {
  return async (wanted: BulkRequest<Row>, call?: KeyedCall): Promise<BulkOutcome<Row>[]> => {
    const body = {
      atomic: wanted.atomic,
      ...(wanted.create?.length && { create: wanted.create }),
      ...(wanted.update?.length && {
        update: wanted.update.map(({ row, changes }) => ({
          id: row.id,
          ...(row.updatedAt && { updatedAt: row.updatedAt }),
          ...changes,
        })),
      }),
      ...(wanted.delete?.length && { delete: wanted.delete.map(({ id }) => id) }),
      ...(wanted.restore?.length && { restore: wanted.restore.map(Number) }),
    };
    try {
      const config = { ...keyed(call), timeoutMs: BULK_TIMEOUT_MS };
      const answer = await request<BulkOutcome<Row>>(endpoint, "POST", body, config);
      return answer.data.map((row) => ({ ...row, message: row.message && withLabel(row.message) }));
    } catch (error) {
      const refused = wanted.atomic ? readRefused<Row>(error, wanted) : [];
      if (refused.length === 0) throw error;
      return refused;
    }
  };
}

/** `{"update.3": {price: ["…"]}}`: the rows that caused the refusal of an atomic request. */
function readRefused<Row extends { id: number }>(
  error: unknown,
  { update = [] }: BulkRequest<Row>,
): BulkOutcome<Row>[] {
  if (!(error instanceof ApiError)) return [];
  const rows = error.data as readonly Row[]; // rows that another tab or user changed, as they are now
  return Object.entries(error.fields as Record<string, unknown>).flatMap(([place, why]) => {
    const [, action, index] = /^(create|update|delete|restore)\.(\d+)$/.exec(place) ?? [];
    if (!action || typeof why !== "object" || why === null) return [];
    const fields = why as Record<string, string[]>; // the server's own shape of a row's refusal
    const id = action === "update" ? update[Number(index)]?.row.id : undefined;
    const row = rows.find((each) => each.id === id) ?? null;
    return {
      action: action as BulkAction, // one of them, as matched
      index: Number(index),
      ok: false,
      id: null,
      code: row ? "CONFLICT" : error.code,
      message: Object.values(fields).flat().join(" "),
      act_id: null,
      fields,
      row,
    };
  });
}
