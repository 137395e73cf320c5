import { formatCount } from "@/shared/lib/format";
import { type SimpleColumn, SimpleTable } from "./SimpleTable";

/** A row that an act on many rows refused. */
export type RefusedRow = { id: number | null; name: string; reason: string };

export const wideCell = (text: string) => (
  <span className="block min-w-24 sm:min-w-52">{text}</span>
);

const idColumn: SimpleColumn<RefusedRow> = {
  header: "Id",
  cell: (row) => <span className="text-muted tabular-nums">{row.id}</span>,
};
const columns: readonly SimpleColumn<RefusedRow>[] = [
  { header: "Item", cell: (row) => wideCell(row.name) },
  { header: "Reason", grow: true, cell: (row) => wideCell(row.reason) },
];

/** The refused rows, each with its reason. `total` may be more than are listed. */
export function RefusedRows<Row extends RefusedRow>(props: {
  caption: string;
  rows: readonly Row[];
  total?: number;
  /** More columns, such as a button that opens the row. */
  also?: readonly SimpleColumn<Row>[];
}) {
  const { caption, rows, total = rows.length, also = [] } = props;
  return (
    <>
      <SimpleTable
        caption={caption}
        columns={[...(rows.some(({ id }) => id !== null) ? [idColumn] : []), ...columns, ...also]}
        rows={rows}
        getKey={(row, place) => row.id ?? `row ${place}`}
      />
      <FirstShown shown={rows.length} total={total} />
    </>
  );
}

/** Says that a list is not whole. */
export function FirstShown({ shown, total }: { shown: number; total: number }) {
  if (total <= shown) return null;
  return <p className="mt-2 text-muted text-xs">The first {formatCount(shown)} are shown.</p>;
}

/** The rows as text, to paste elsewhere. */
export const refusedAsText = (rows: readonly RefusedRow[]): string =>
  rows.map(({ id, name, reason }) => [id, name, reason].join("\t")).join("\n");
