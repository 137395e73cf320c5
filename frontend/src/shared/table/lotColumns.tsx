/** The columns that all tables of lots share. A table adds its own width, filter and order. */

import {
  ColorName,
  ConditionTag,
  ItemTypeTag,
  type LotCondition,
  LotName,
  type LotNameProps,
  lotConditionOptions,
  lotNameOf,
  type ShownLot,
} from "@/shared/ui/Lot";
import { priceCell } from "@/shared/ui/Price";
import type { Column } from "./column";
import { amountEdit, choiceEdit } from "./fieldEdits";

type Own<Row, Param extends string> = Partial<Column<Row, Param>>;

/** Picture, name and number of the lot. `link` is where its name leads. */
export const itemColumn = <Row extends ShownLot, Param extends string = never>(
  own: Own<Row, Param> & { link?: (row: Row) => Pick<LotNameProps, "to" | "opens"> },
): Column<Row, Param> => {
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

export const typeColumn = <Row extends { item_type: string }, Param extends string = never>(
  own: Own<Row, Param>,
): Column<Row, Param> => ({
  id: "type",
  header: "Type",
  text: (row) => row.item_type,
  cell: (row) => <ItemTypeTag type={row.item_type} />,
  ...own,
});

export const colorColumn = <
  Row extends Pick<ShownLot, "color_name" | "color_html">,
  Param extends string = never,
>(
  own: Own<Row, Param>,
): Column<Row, Param> => ({
  id: "color",
  header: "Colour",
  text: (row) => row.color_name,
  cell: (row) => <ColorName name={row.color_name} html={row.color_html} />,
  ...own,
});

type Conditioned = { condition: LotCondition; condition_text?: string };

export const conditionColumn = <Row extends Conditioned, Param extends string = never>(
  own: Own<Row, Param>,
): Column<Row, Param> => ({
  id: "condition",
  header: "Condition",
  cell: (row) => <ConditionTag condition={row.condition} text={row.condition_text} />,
  ...own,
});

/** The colour in a table whose rows are filtered and sorted by it. */
export const lotColorColumn = <Row extends Pick<ShownLot, "color_name" | "color_html">>(
  own: Own<Row, "color">,
): Column<Row, "color"> =>
  colorColumn({
    sortBy: "color_name",
    filter: { kind: "text", param: "color" },
    brief: (row) => row.color_name && <ColorName name={row.color_name} html={row.color_html} />,
    ...own,
  });

/** The condition in a table whose rows are filtered and sorted by it, and edited. */
export const lotConditionColumn = (
  own: Own<Conditioned, "condition">,
): Column<Conditioned, "condition"> =>
  conditionColumn<Conditioned, "condition">({
    sortBy: "condition",
    filter: { kind: "choice", param: "condition", options: lotConditionOptions },
    brief: (row) => <ConditionTag condition={row.condition} text={row.condition_text} />,
    edit: choiceEdit("condition", lotConditionOptions),
    ...own,
  });

/** The price that a person asks for one piece. */
export const lotPriceColumn = (
  own: Own<{ price: string | null }, "price_min" | "price_max">,
): Column<{ price: string | null }, "price_min" | "price_max"> => ({
  id: "price",
  header: "Price",
  money: true,
  align: "end",
  sortBy: "price",
  filter: { kind: "number", from: "price_min", to: "price_max" },
  brief: (row) => priceCell(row.price),
  cell: (row) => priceCell(row.price),
  edit: amountEdit("price"),
  ...own,
});
