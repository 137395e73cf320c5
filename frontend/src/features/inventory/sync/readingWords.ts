/** What the preview says of how a file was read. apps/exchange/table_form.py finds it. */
import { counted, formatCount } from "@/shared/lib/format";
import type { InventorySync } from "./model";

type ReadingOf = InventorySync["reading"];

export const kindWords: Record<NonNullable<ReadingOf["kind"]>, string> = {
  bsx: "Read as a BSX file",
  store_xml: "Read as BrickLink's list of your store",
  upload_xml: "Read as lots for BrickLink's mass upload",
  update_xml: "Read as changes for BrickLink's mass update",
  wanted_xml: "Read as a wanted list",
  table: "Read as a table",
  workbook: "Read as a spreadsheet",
  model: "Read as a model: its parts",
};

const delimiterWords: Record<string, string> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "bars",
};

export const COLUMN_OPTIONS = [
  { value: "", label: "Leave out" },
  { value: "keep", label: "Keep as a note of the file" },
  { value: "item_number", label: "Item number" },
  { value: "item_type_id", label: "Item type" },
  { value: "item_type_name", label: "Item type in words" },
  { value: "item_name", label: "Item name" },
  { value: "color", label: "Colour (name or number)" },
  { value: "color_id", label: "Colour number" },
  { value: "color_name", label: "Colour name" },
  { value: "quantity", label: "Quantity" },
  { value: "price", label: "Price" },
  { value: "currency", label: "Currency" },
  { value: "condition", label: "Condition" },
  { value: "sub_condition", label: "Completeness" },
  { value: "location_name", label: "Bin" },
  { value: "remarks", label: "Remarks" },
  { value: "comments", label: "Comments" },
  { value: "marketplace_lot_id", label: "BrickLink lot ID" },
  { value: "cost", label: "Cost" },
  { value: "bulk", label: "Bulk" },
  { value: "sale", label: "Sale %" },
  { value: "status", label: "Status" },
  { value: "stockroom", label: "Stockroom" },
  { value: "retain", label: "Retain" },
  { value: "reserved", label: "Reserved for" },
  { value: "category_id", label: "Category number" },
  { value: "category_name", label: "Category" },
  { value: "tq1", label: "Tier 1 quantity" },
  { value: "tp1", label: "Tier 1 price" },
  { value: "tq2", label: "Tier 2 quantity" },
  { value: "tp2", label: "Tier 2 price" },
  { value: "tq3", label: "Tier 3 quantity" },
  { value: "tp3", label: "Tier 3 price" },
  { value: "total_weight_grams", label: "Weight of the lot (g)" },
  { value: "marker_text", label: "Marker text" },
  { value: "marker_color", label: "Marker colour" },
  { value: "date_added", label: "Date added" },
  { value: "date_last_sold", label: "Date last sold" },
];

/** How the table was read, and whose numbers its items were taken to have. */
export function tableWords(table: NonNullable<ReadingOf["table"]>, foreign = 0): string {
  const read = table.columns.filter((name) => name !== "" && name !== "keep").length;
  const by = delimiterWords[table.delimiter] ?? table.delimiter;
  const count = table.columns.length;
  const split = `${formatCount(read)} of ${formatCount(count)} columns understood; separated by ${by}.`;
  const others =
    foreign > 0 ? `; of ${counted(foreign, "lot")}, Rebrickable's, LDraw's or LEGO's` : "";
  return table.columns.includes("item_number")
    ? `${split} Item numbers are read as BrickLink's${others}.`
    : split;
}
