import { useSearchParams } from "react-router-dom";
import { priceOf, whyNotPrice, whyNotQuantity } from "@/shared/lib/amounts";
import { formatCount, formatDateTime, formatMoney } from "@/shared/lib/format";
import type { Column } from "@/shared/table/column";
import { Badge } from "@/shared/ui/Badge";
import {
  ColorName,
  type Condition,
  ConditionTag,
  conditionOptions,
  ItemTypeTag,
  LotName,
} from "@/shared/ui/Lot";
import type { InventoryItem } from "./model";

const stockValue = (row: InventoryItem) => (row.quantity * Number(row.price)).toFixed(2);

/** Leads to the row's history, the list behind it staying as it is. */
function StockName({ row }: { row: InventoryItem }) {
  const [params] = useSearchParams();
  const next = new URLSearchParams(params);
  next.set("item", String(row.id));
  return (
    <LotName
      number={row.item_number}
      name={row.part_name}
      type={row.item_type}
      image={row.image_url}
      colorHtml={row.color_html}
      isKnown={row.is_known}
      to={`?${next}`}
    />
  );
}

export const inventoryColumns: readonly Column<InventoryItem>[] = [
  {
    id: "name",
    header: "Item",
    width: 380,
    sortBy: "item_number",
    primary: true,
    hideable: false,
    cell: (row) => <StockName row={row} />,
  },
  {
    id: "type",
    header: "Type",
    width: 110,
    hidden: true,
    cell: (row) => <ItemTypeTag type={row.item_type} />,
  },
  {
    id: "color",
    header: "Colour",
    width: 180,
    cell: (row) => <ColorName name={row.color_name} html={row.color_html} />,
  },
  {
    id: "condition",
    header: "Condition",
    width: 100,
    cell: (row) => <ConditionTag condition={row.condition} />,
    edit: {
      kind: "select",
      options: conditionOptions,
      value: (row) => row.condition,
      parse: (text) => ({ condition: text as Condition }), // one of the options
    },
  },
  {
    id: "quantity",
    header: "Quantity",
    width: 100,
    align: "end",
    sortBy: "quantity",
    cell: (row) =>
      row.quantity === 0 ? <Badge tone="warning">0</Badge> : formatCount(row.quantity),
    edit: {
      kind: "number",
      value: (row) => String(row.quantity),
      check: whyNotQuantity,
      parse: (text) => ({ quantity: Number(text) }),
    },
  },
  {
    id: "price",
    header: "Price",
    width: 100,
    align: "end",
    sortBy: "price",
    cell: (row) => formatMoney(row.price),
    edit: {
      kind: "number",
      value: (row) => String(Number(row.price)),
      check: whyNotPrice,
      parse: (text) => ({ price: priceOf(text) }),
    },
  },
  {
    id: "value",
    header: "Value",
    width: 110,
    align: "end",
    cell: (row) => formatMoney(stockValue(row)),
  },
  {
    id: "location",
    header: "Location",
    width: 150,
    sortBy: "location_name",
    cell: (row) => row.location_name ?? <span className="text-muted">none</span>,
  },
  {
    id: "remarks",
    header: "Remarks",
    width: 150,
    hidden: true,
    cell: (row) => row.remarks,
    edit: {
      kind: "text",
      value: (row) => row.remarks,
      parse: (text) => ({ remarks: text.trim() }),
    },
  },
  {
    id: "comments",
    header: "Comments",
    width: 200,
    hidden: true,
    cell: (row) => row.comments,
    edit: {
      kind: "text",
      value: (row) => row.comments,
      parse: (text) => ({ comments: text.trim() }),
    },
  },
  {
    id: "stockroom",
    header: "Stockroom",
    width: 100,
    hidden: true,
    cell: (row) => row.stockroom || "–",
  },
  {
    id: "updatedAt",
    header: "Last change",
    width: 165,
    sortBy: "updatedAt",
    cell: (row) => <span className="text-muted">{formatDateTime(row.updatedAt)}</span>,
  },
  {
    id: "createdAt",
    header: "Added",
    width: 165,
    sortBy: "createdAt",
    hidden: true,
    cell: (row) => <span className="text-muted">{formatDateTime(row.createdAt)}</span>,
  },
];
