/** The content of a location, read from the API: a feature may not import one above it. */

import { api } from "@/shared/api/client";
import type { ParamOf, Schema } from "@/shared/api/wire";
import { colorWords } from "@/shared/lib/colorNames";
import { pathTo } from "@/shared/lib/paths";
import type { Column, ListParams, RowSource } from "@/shared/table/column";
import { countColumn } from "@/shared/table/fieldColumns";
import { colorColumn, conditionColumn, itemColumn, typeColumn } from "@/shared/table/lotColumns";
import { lotConditionNames } from "@/shared/ui/Lot";
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
    to={pathTo("inventory", { item: row.id })}
    about={colorWords(row.color_name) || lotConditionNames[row.condition]}
  />
);

export const contentColumns: readonly Column<ContentRow, ParamOf<"inventoryItems">>[] = [
  itemColumn({
    width: 380,
    link: (row) => ({ to: pathTo("inventory", { item: row.id }) }),
  }),
  typeColumn({ width: 100 }),
  colorColumn({ width: 180 }),
  conditionColumn({ width: 100 }),
  countColumn("quantity", "Quantity", { width: 100, sortBy: "quantity" }),
  {
    id: "price",
    header: "Price",
    money: true,
    width: 100,
    align: "end",
    sortBy: "price",
    cell: (row) => priceCell(row.price),
  },
];
