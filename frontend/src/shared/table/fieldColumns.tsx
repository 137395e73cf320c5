/** Columns that show one field of a row in the usual way. A table adds width, filter and order. */
import { formatCount, formatDateTime, formatMoney } from "@/shared/lib/format";
import { When } from "@/shared/ui/When";
import type { Column } from "./column";
import { textEdit } from "./fieldEdits";

type Own<Row> = Partial<Column<Row>>;
type With<Name extends string, Value> = Record<Name, Value>;

/** An instant. `none`: what stands where there is none. */
export function whenColumn<Name extends string, Row extends With<Name, string | null>>(
  name: Name,
  header: string,
  { none, ...own }: Own<Row> & { none?: string } = {},
): Column<Row> {
  return {
    id: name,
    header,
    text: (row) => formatDateTime(row[name]),
    cell: (row) => <When at={row[name]} none={none} />,
    ...own,
  };
}

/** A number of things. */
export function countColumn<Name extends string, Row extends With<Name, number | null>>(
  name: Name,
  header: string,
  own: Own<Row> = {},
): Column<Row> {
  return { id: name, header, align: "end", cell: (row) => formatCount(row[name]), ...own };
}

/** An amount of money. */
export function moneyColumn<Name extends string, Row extends With<Name, string | null>>(
  name: Name,
  header: string,
  own: Own<Row> = {},
): Column<Row> {
  return {
    id: name,
    header,
    money: true,
    align: "end",
    cell: (row) => formatMoney(row[name]),
    ...own,
  };
}

/** A text that is edited. */
export function textColumn<Name extends string>(
  name: Name,
  header: string,
  own: Own<With<Name, string>> = {},
): Column<With<Name, string>> {
  return { id: name, header, cell: (row) => row[name], edit: textEdit(name), ...own };
}

/** A text of several lines, of which the first is shown. */
export function linesColumn<Name extends string, Row extends With<Name, string>>(
  name: Name,
  header: string,
  own: Own<Row> = {},
): Column<Row> {
  return {
    id: name,
    header,
    text: (row) => row[name],
    cell: (row) => (
      <span className="text-muted" title={row[name] || undefined}>
        {row[name].split("\n", 1)[0] || "–"}
      </span>
    ),
    ...own,
  };
}
