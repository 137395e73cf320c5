/** What lies in a location, read beside the inventory's own page: no feature above may be asked. */
import { Link } from "react-router-dom";
import { api } from "@/shared/api/client";
import { formatCount, formatMoney } from "@/shared/lib/format";
import { isItemType } from "@/shared/lib/itemTypes";
import type { Column, ListParams, RowSource } from "@/shared/table/column";
import { ItemImage } from "@/shared/ui/ItemImage";
import { ColorName, type Condition, ConditionTag, ItemTypeTag } from "@/shared/ui/Lot";

type ContentRow = {
  id: number;
  item_number: string;
  item_type: string;
  part_name: string;
  image_url: string | null;
  color_name: string;
  color_html: string;
  condition: Condition;
  quantity: number;
  price: string;
};

/** Under the inventory's keys: whatever makes stock stale makes this stale. */
export const contentsOf = (locationId: number): RowSource<ContentRow> => ({
  key: ["inventory", "contents", locationId],
  fetch: (params: ListParams, signal) =>
    api.get<ContentRow>("inventoryItems", { ...params, location: locationId }, { signal }),
});

export const contentColumns: readonly Column<ContentRow>[] = [
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
    width: 340,
    primary: true,
    sortBy: "item_number",
    cell: (row) => (
      <span className="flex min-w-0 flex-col">
        <Link
          to={`/app/inventory?item=${row.id}`}
          className="truncate font-medium hover:text-accent-ink hover:underline"
        >
          {row.part_name || row.item_number}
        </Link>
        <span className="truncate font-mono text-muted text-xs">{row.item_number}</span>
      </span>
    ),
  },
  {
    id: "type",
    header: "Type",
    width: 100,
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
  },
  {
    id: "quantity",
    header: "Quantity",
    width: 100,
    align: "end",
    sortBy: "quantity",
    cell: (row) => formatCount(row.quantity),
  },
  {
    id: "price",
    header: "Price",
    width: 100,
    align: "end",
    sortBy: "price",
    cell: (row) => formatMoney(row.price),
  },
];
