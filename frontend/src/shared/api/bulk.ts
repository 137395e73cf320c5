/** Many rows in one request, with a result for each row: `POST /api/<resource>/bulk`. */
import type { PathOf, RowOf } from "./wire";

export type BulkRequest<Row> = {
  create?: readonly object[];
  update?: readonly { row: Row; changes: Partial<Row> }[];
  delete?: readonly Row[];
  /** Ids of deleted rows. The server restores these rows with all their fields. */
  restore?: readonly string[];
  /** All rows or none. */
  atomic: boolean;
};

/** A row with its version. */
export type Versioned = { id: number; updatedAt: string };

/** A change of one row, as the page has seen it. */
export type RowEdit<Row, Changes = Partial<Row>> = { row: Row; changes: Changes };

/** What is sent of it. The server refuses it with CONFLICT where the row was changed since. */
export const sentOfEdit = <Changes>({ row, changes }: RowEdit<Versioned, Changes>) => ({
  path: { id: row.id },
  body: { ...changes, updatedAt: row.updatedAt },
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
 * What a table sends to change many rows of a resource. Each row is sent with the `updatedAt` that
 * the page has seen.
 */
export const bulkOf =
  <Row extends { id: number; updatedAt?: string }>(path: string) =>
  (wanted: BulkRequest<Row>) => ({
    method: "POST" as const,
    path,
    body: {
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
    },
    timeoutMs: BULK_TIMEOUT_MS,
  });
