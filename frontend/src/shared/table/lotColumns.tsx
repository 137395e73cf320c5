/** The columns that all tables of lots share. A table adds its own width, filter and order. */

import { formatAgo, formatFigure } from "@/shared/lib/format";
import { differenceOf, isFarOff, type Marketed, percentText } from "@/shared/lib/market";
import { Badge } from "@/shared/ui/Badge";
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

/** What the market pays for one piece, and by how much the price differs from it. */
export const marketColumn = <Row extends Marketed, Param extends string = never>(
  own: Own<Row, Param> = {},
): Column<Row, Param> => ({
  id: "market",
  header: "Market",
  money: true,
  width: 124,
  align: "end",
  text: (row) => row.reference_price ?? "",
  cell: (row) => <MarketPrice row={row} />,
  ...own,
});

function MarketPrice({ row }: { row: Marketed }) {
  if (row.reference_price === null) return <span className="text-muted">–</span>;
  const percent = differenceOf(row);
  const text = percentText(percent);
  const basis = row.reference_basis === "asked" ? "asked by others, none sold" : "paid";
  const age = row.referenceAt ? `, ${formatAgo(row.referenceAt, Date.now())}` : "";
  return (
    <span
      title={`On average ${basis}${age}`}
      className="flex min-w-0 items-baseline justify-end gap-1.5 text-muted"
    >
      {formatFigure(row.reference_price)}
      {row.reference_basis === "asked" && " asked"}
      {percent !== null &&
        (isFarOff(percent) ? (
          <Badge tone="warning">{text}</Badge>
        ) : (
          <span className="w-13 shrink-0 text-xs">{text}</span>
        ))}
    </span>
  );
}
