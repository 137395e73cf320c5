/** The content of a location, read from the API: a feature may not import one above it. */

import { api } from "@/shared/api/client";
import type { Schema } from "@/shared/api/wire";
import { colorWords } from "@/shared/lib/colorNames";
import { formatCount } from "@/shared/lib/format";
import type { Column, ListParams, RowSource } from "@/shared/table/column";
import { ColorName, ConditionTag, conditionNames, ItemTypeTag, LotName } from "@/shared/ui/Lot";
import { LotTile } from "@/shared/ui/LotTile";
import { priceCell } from "@/shared/ui/Price";

type ContentRow = Schema<"InventoryItemRow">;

/** Under the inventory's keys, so that both become stale together. */
export const contentsOf = (locationId: number): RowSource<ContentRow> => ({
  key: ["inventory", "contents", locationId],
  fetch: (params: ListParams, signal) =>
    api.get("inventoryItems", { query: { location: String(locationId) }, filters: params, signal }),
});

export const contentTile = (row: ContentRow) => (
  <LotTile
    row={row}
    to={`/app/inventory?item=${row.id}`}
    about={colorWords(row.color_name) || conditionNames[row.condition]}
  />
);

export const contentColumns: readonly Column<ContentRow>[] = [
  {
    id: "name",
    header: "Item",
    width: 380,
    primary: true,
    sortBy: "item_number",
    cell: (row) => (
      <LotName
        number={row.item_number}
        name={row.part_name}
        type={row.item_type}
        image={row.image_url}
        colorName={row.color_name}
        colorHtml={row.color_html}
        isKnown={row.is_known}
        to={`/app/inventory?item=${row.id}`}
      />
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
    cell: (row) => priceCell(row.price),
  },
];
