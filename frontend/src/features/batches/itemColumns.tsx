import { createContext, useContext } from "react";
import type { ParamOf } from "@/shared/api/wire";
import { whyNotQuantity } from "@/shared/lib/amounts";
import { counted, formatCount } from "@/shared/lib/format";
import { itemTypeNames, itemTypes } from "@/shared/lib/itemTypes";
import { rowWorth, valueText, worthOf, worthText } from "@/shared/lib/worth";
import type { Column } from "@/shared/table/column";
import { countColumn, moneyColumn, textColumn, whenColumn } from "@/shared/table/fieldColumns";
import { countEdit, priceEdit } from "@/shared/table/fieldEdits";
import {
  itemColumn,
  lotColorColumn,
  lotConditionColumn,
  lotPriceColumn,
  marketColumn,
  typeColumn,
} from "@/shared/table/lotColumns";
import { Badge } from "@/shared/ui/Badge";
import { Spinner } from "@/shared/ui/Spinner";
import type { BatchItem, ColorChoice } from "./model";
import { hasFailed, statusWords } from "./rules";

/** What the cells of a batch's items may ask their page for. Null: the batch is read-only. */
export const ItemActions = createContext<{ chooseLocation: (item: BatchItem) => void } | null>(
  null,
);

const isUnderWay = (item: BatchItem) => item.is_stowed_pending || item.is_listed_pending;

function StatusChip({ item }: { item: BatchItem }) {
  const pending = isUnderWay(item);
  return (
    <span className="flex items-center gap-1.5">
      {pending ? (
        <Badge tone="info" icon={<Spinner className="size-3" />}>
          {statusWords(item)}
        </Badge>
      ) : (
        <span className="text-muted">{statusWords(item)}</span>
      )}
      {hasFailed(item) && (
        <span title={item.failure}>
          <Badge tone="danger">Failed</Badge>
        </span>
      )}
      {item.is_changed_since_listing && <Badge tone="warning">changed since</Badge>}
    </span>
  );
}

function LocationCell({ item }: { item: BatchItem }) {
  const actions = useContext(ItemActions);
  const name = item.user_inventory_item_location_name;
  if (item.is_stowed || !actions) return <span>{name ?? "–"}</span>;
  return (
    <button
      type="button"
      title="Choose its bin"
      tabIndex={-1}
      onClick={() => actions.chooseLocation(item)}
      className="truncate hover:text-accent-ink hover:underline"
    >
      {name ?? <span className="text-accent-ink">Choose</span>}
    </button>
  );
}

const priceOptions = [
  { value: "none", label: "No price" },
  { value: "low", label: "Low value" },
  { value: "outlier", label: "Far off" },
];
const priced = ({ qty, price }: Pick<BatchItem, "qty" | "price">) => ({ quantity: qty, price });

const typeOptions = itemTypes.map((type) => ({ value: type, label: itemTypeNames[type] }));
const failureOptions = [
  { value: "true", label: "Failed" },
  { value: "false", label: "Not failed" },
];
const placeOptions = [
  { value: "none", label: "None" },
  { value: "any", label: "Any" },
];

export const itemColumns: readonly Column<BatchItem, ParamOf<"batchItems">>[] = [
  itemColumn({ width: 280 }),
  typeColumn({
    width: 84,
    hidden: true,
    sortBy: "item_type",
    filter: { kind: "choice", param: "item_type", options: typeOptions },
  }),
  lotColorColumn({ width: 150 }),
  lotConditionColumn({ width: 84 }),
  countColumn("qty", "Quantity", {
    width: 88,
    sortBy: "qty",
    filter: { kind: "number", from: "qty_min", to: "qty_max" },
    brief: (item) => `${formatCount(item.qty)} ×`,
    sum: (items) =>
      counted(
        items.reduce((all, item) => all + item.qty, 0),
        "piece",
      ),
    edit: countEdit("qty", whyNotQuantity),
  }),
  lotPriceColumn({ width: 92 }),
  {
    id: "value",
    header: "Value",
    money: true,
    width: 88,
    align: "end",
    cell: (item) => valueText(rowWorth(priced(item))),
    sum: (items) => `worth ${worthText(worthOf(items.map(priced)))}`,
  },
  {
    id: "location",
    header: "Bin",
    width: 140,
    sortBy: "user_inventory_item_location_name",
    filter: { kind: "choice", param: "location", options: placeOptions },
    text: (item) => item.user_inventory_item_location_name ?? "",
    brief: (item) => item.user_inventory_item_location_name,
    cell: (item) => <LocationCell item={item} />,
  },
  {
    id: "status",
    header: "Status",
    width: 150,
    filter: { kind: "choice", param: "failed", options: failureOptions },
    text: (item) =>
      hasFailed(item) ? `${statusWords(item)}, failed: ${item.failure}` : statusWords(item),
    // The filter above the rows says the state of most; an exception shows.
    brief: (item) =>
      (hasFailed(item) || item.is_changed_since_listing || isUnderWay(item)) && (
        <StatusChip item={item} />
      ),
    cell: (item) => <StatusChip item={item} />,
  },
  marketColumn<BatchItem, "price">({
    filter: { kind: "choice", param: "price", options: priceOptions },
  }),
  moneyColumn("cost", "Cost", { width: 80, hidden: true, edit: priceEdit("cost") }),
  textColumn("remarks", "Remarks", { width: 150, hidden: true }),
  textColumn("comments", "Comments", { width: 180, hidden: true }),
  whenColumn("createdAt", "Added", {
    width: 126,
    hidden: true,
    sortBy: "createdAt",
    filter: { kind: "date", from: "created_from", to: "created_to" },
  }),
  whenColumn("stowedAt", "Stowed", { width: 126, hidden: true, sortBy: "stowedAt" }),
  {
    id: "lot",
    header: "Lot",
    width: 90,
    align: "end",
    hidden: true,
    cell: (item) => item.lot_id ?? "–",
  },
  whenColumn("updatedAt", "Last change", { width: 126, hidden: true, sortBy: "updatedAt" }),
];

/** The columns with a colour that is chosen from `colors`. */
export function columnsWith(colors: readonly ColorChoice[]): readonly Column<BatchItem>[] {
  if (colors.length === 0) return itemColumns;
  const byId = new Map(colors.map((color) => [String(color.id), color]));
  const options = colors.map(({ id, name }) => ({ value: String(id), label: name }));
  options.sort((one, other) => one.label.localeCompare(other.label));
  return itemColumns.map((column) =>
    column.id === "color"
      ? {
          ...column,
          edit: {
            kind: "select",
            options,
            value: (item) => String(item.color_id ?? ""),
            parse: (text) => {
              const color = byId.get(text);
              if (!color) return {};
              const { id, name, color_html } = color;
              // Name and swatch are shown until the answer is there; only the id is sent.
              return { color_id: id, color_name: name, color_html: color_html ?? "" };
            },
          },
        }
      : column,
  );
}
