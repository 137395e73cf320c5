import { formatCount, formatDateTime, formatMoney } from "@/shared/lib/format";
import { isItemType } from "@/shared/lib/itemTypes";
import type { Column } from "@/shared/table/column";
import { Badge } from "@/shared/ui/Badge";
import { ItemImage } from "@/shared/ui/ItemImage";
import {
  ColorName,
  type Condition,
  ConditionTag,
  conditionOptions,
  ItemTypeTag,
  UnknownLotTag,
} from "@/shared/ui/Lot";
import type { InventoryItem } from "./model";
import { priceOf, whyNotPrice, whyNotQuantity } from "./rules";

const stockValue = (row: InventoryItem) => (row.quantity * Number(row.price)).toFixed(2);

export const inventoryColumns: readonly Column<InventoryItem>[] = [
  {
    id: "image",
    header: "Picture",
    width: 60,
    cell: (row) => (
      <ItemImage
        src={row.image_url}
        type={isItemType(row.item_type) ? row.item_type : "PART"}
        colorHtml={row.color_html}
      />
    ),
  },
  {
    id: "name",
    header: "Item",
    width: 320,
    sortBy: "item_number",
    primary: true,
    hideable: false,
    cell: (row) => (
      <span className="flex min-w-0 flex-col">
        <span className="flex min-w-0 items-center gap-2">
          <span className="min-w-0 truncate font-medium">{row.part_name || row.item_number}</span>
          {!row.is_known && <UnknownLotTag />}
        </span>
        <span className="truncate font-mono text-muted text-xs">{row.item_number}</span>
      </span>
    ),
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
