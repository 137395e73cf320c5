/** The columns that all tables of lots share. A table adds its own width, filter and order. */

import {
  ColorName,
  type Condition,
  ConditionTag,
  ItemTypeTag,
  LotName,
  type LotNameProps,
  lotNameOf,
  type ShownLot,
} from "@/shared/ui/Lot";
import type { Column } from "./column";

type Own<Row> = Partial<Column<Row>>;

/** Picture, name and number of the lot. `link` is where its name leads. */
export const itemColumn = <Row extends ShownLot>(
  own: Own<Row> & { link?: (row: Row) => Pick<LotNameProps, "to" | "opens"> },
): Column<Row> => {
  const { link, ...rest } = own;
  return {
    id: "name",
    header: "Item",
    sortBy: "item_number",
    primary: true,
    hideable: false,
    text: (row) => {
      const { number, name } = lotNameOf(row);
      return `${number} ${name}`.trim();
    },
    cell: (row) => <LotName {...lotNameOf(row)} {...link?.(row)} />,
    ...rest,
  };
};

export const typeColumn = <Row extends { item_type: string }>(own: Own<Row>): Column<Row> => ({
  id: "type",
  header: "Type",
  text: (row) => row.item_type,
  cell: (row) => <ItemTypeTag type={row.item_type} />,
  ...own,
});

export const colorColumn = <Row extends Pick<ShownLot, "color_name" | "color_html">>(
  own: Own<Row>,
): Column<Row> => ({
  id: "color",
  header: "Colour",
  text: (row) => row.color_name,
  cell: (row) => <ColorName name={row.color_name} html={row.color_html} />,
  ...own,
});

export const conditionColumn = <Row extends { condition: Condition }>(
  own: Own<Row>,
): Column<Row> => ({
  id: "condition",
  header: "Condition",
  cell: (row) => <ConditionTag condition={row.condition} />,
  ...own,
});
