/** The kinds of files, and what may be chosen for each. */
import type { Export, ExportKind, ExportOptions } from "./model";

type Labelled<Value> = { value: Value; label: string };

export const exportKinds: readonly {
  value: ExportKind;
  label: string;
  short: string;
  hint: string;
}[] = [
  {
    value: "bsx",
    label: "BSX file for BrickStore",
    short: "BSX",
    hint: "Every field of a lot, as BrickStore opens it.",
  },
  {
    value: "mass_upload",
    label: "BrickLink mass upload (XML)",
    short: "upload XML",
    hint: "New lots for BrickLink's upload page; a zip when there are more than 1,000.",
  },
  {
    value: "mass_update",
    label: "BrickLink mass update (XML)",
    short: "update XML",
    hint: "Changes to lots that are in your BrickLink store already.",
  },
  {
    value: "wanted_list",
    label: "BrickLink wanted list (XML)",
    short: "wanted list",
    hint: "The same items to look for; your price is the most to pay.",
  },
  {
    value: "csv",
    label: "Spreadsheet (CSV)",
    short: "CSV",
    hint: "For Excel, LibreOffice or Google Sheets.",
  },
];

export const shortName = (kind: ExportKind): string =>
  exportKinds.find((one) => one.value === kind)?.short ?? "file";

/** Fields that a mass update can send as they are, by the server's names. */
export const updateFields: readonly Labelled<ExportOptions["update_fields"][number]>[] = [
  { value: "price", label: "Price" },
  { value: "remarks", label: "Remarks" },
  { value: "comments", label: "Comments" },
  { value: "bulk", label: "Bulk" },
  { value: "sale", label: "Sale" },
  { value: "cost", label: "Cost" },
  { value: "condition", label: "Condition" },
  { value: "retain", label: "Retain" },
  { value: "stockroom", label: "Stockroom" },
  { value: "tiers", label: "Tier prices" },
];

/** The columns of a spreadsheet that people ask for most; all others come with "Every column". */
export const csvColumns: readonly Labelled<ExportOptions["columns"][number]>[] = [
  { value: "item_number", label: "Item number" },
  { value: "item_name", label: "Item name" },
  { value: "item_type_id", label: "Type" },
  { value: "color_id", label: "Colour id" },
  { value: "color_name", label: "Colour" },
  { value: "condition", label: "Condition" },
  { value: "quantity", label: "Quantity" },
  { value: "price", label: "Price" },
  { value: "cost", label: "Cost" },
  { value: "location_name", label: "Bin" },
  { value: "remarks", label: "Remarks" },
  { value: "comments", label: "Comments" },
  { value: "marketplace_lot_id", label: "BrickLink lot id" },
];

/** Whether the person may still confirm that this file was uploaded. */
export const canConfirm = (row: Pick<Export, "kind" | "file_url" | "uploadedAt">): boolean =>
  row.kind === "mass_update" && row.file_url !== null && row.uploadedAt === null;

/** What puts lots on sale: a store connected here, BrickStore, or nothing yet. */
export type SellsBy = "store" | "brickstore" | "nothing";

const nextWords: Partial<Record<ExportKind, Record<Exclude<SellsBy, "store">, string>>> = {
  bsx: {
    brickstore: "Next: open the file in BrickStore and upload it from there.",
    nothing: "Next: upload it with BrickStore (free), or connect your store in Settings.",
  },
  mass_upload: {
    brickstore: "Next: upload the file on BrickLink's page for inventory uploads.",
    nothing: "Next: upload the file on BrickLink's page for inventory uploads.",
  },
};

/** What a person does after the export, in one line; null where that is plain. */
export function nextAfter(
  { kind, scope }: Pick<Export, "kind" | "scope">,
  sellsBy: SellsBy,
): string | null {
  const words = nextWords[kind];
  if (!words) return null;
  const isBatch = scope === "batch";
  if (sellsBy === "store") {
    return isBatch
      ? "Your store is connected: list these lots from this page. No file is needed."
      : "Your store is connected: Sync sends your changes. No file is needed.";
  }
  return isBatch && sellsBy === "brickstore"
    ? `${words[sellsBy]} Then mark the batch as listed, under More.`
    : words[sellsBy];
}
