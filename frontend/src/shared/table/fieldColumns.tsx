/** Columns that show one field of a row in the usual way. A table adds width, filter and order. */
import { formatCount, formatDateTime, formatMoney } from "@/shared/lib/format";
import { When } from "@/shared/ui/When";
import type { Column } from "./column";
import { textEdit } from "./fieldEdits";

type Own<Row, Param extends string> = Partial<Column<Row, Param>>;
type With<Name extends string, Value> = Record<Name, Value>;

/** An instant. `none`: what stands where there is none. */
export function whenColumn<
  Name extends string,
  Row extends With<Name, string | null>,
  Param extends string = never,
>(
  name: Name,
  header: string,
  { none, ...own }: Own<Row, Param> & { none?: string } = {},
): Column<Row, Param> {
  return {
    id: name,
    header,
    text: (row) => formatDateTime(row[name]),
    cell: (row) => <When at={row[name]} none={none} />,
    ...own,
  };
}

type Shown<Row> = Own<Row, never> & Pick<Column<Row>, "cell">;

/** A kind of column: how a field of this type is shown. */
const fieldColumn =
  <Value,>(shown: <Row>(fieldOf: (row: Row) => Value) => Shown<Row>) =>
  <Name extends string, Row extends With<Name, Value>, Param extends string = never>(
    name: Name,
    header: string,
    own: Own<Row, Param> = {},
  ): Column<Row, Param> => ({ id: name, header, ...shown<Row>((row) => row[name]), ...own });

/** A number of things. */
export const countColumn = fieldColumn<number | null>((fieldOf) => ({
  align: "end",
  cell: (row) => formatCount(fieldOf(row)),
}));

/** An amount of money. */
export const moneyColumn = fieldColumn<string | null>((fieldOf) => ({
  money: true,
  align: "end",
  cell: (row) => formatMoney(fieldOf(row)),
}));

/** A text of several lines, of which the first is shown. */
export const linesColumn = fieldColumn<string>((fieldOf) => ({
  text: fieldOf,
  cell: (row) => (
    <span className="text-muted" title={fieldOf(row) || undefined}>
      {fieldOf(row).split("\n", 1)[0] || "–"}
    </span>
  ),
}));

/** A text that is edited. */
export function textColumn<Name extends string, Param extends string = never>(
  name: Name,
  header: string,
  own: Own<With<Name, string>, Param> = {},
): Column<With<Name, string>, Param> {
  return { id: name, header, cell: (row) => row[name], edit: textEdit(name), ...own };
}
