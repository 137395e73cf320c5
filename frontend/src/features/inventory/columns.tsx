import { LockKeyhole } from "lucide-react";
import { Link } from "react-router-dom";
import type { ParamOf } from "@/shared/api/wire";
import { whyNotQuantity, whyNotWhole } from "@/shared/lib/amounts";
import { counted, formatCount, formatDate } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { rowWorth, valueText, worthOf, worthText } from "@/shared/lib/worth";
import type { Column } from "@/shared/table/column";
import { countColumn, moneyColumn, textColumn, whenColumn } from "@/shared/table/fieldColumns";
import { choiceEdit, countEdit, priceEdit } from "@/shared/table/fieldEdits";
import {
  itemColumn,
  lotColorColumn,
  lotConditionColumn,
  lotPriceColumn,
  marketColumn,
  typeColumn,
} from "@/shared/table/lotColumns";
import { Badge } from "@/shared/ui/Badge";
import { priceCell } from "@/shared/ui/Price";
import type { InventoryItem } from "./model";

const listedOptions = [
  { value: "for_sale", label: "For sale" },
  { value: "stockroom", label: "In a stockroom" },
  { value: "no", label: "Not listed" },
];

const listedText = (row: InventoryItem) => {
  if (row.marketplace_lot_id === null) return "–";
  return row.stockroom ? `Stockroom ${row.stockroom}` : "For sale";
};

/** A field that holds one of a few letters. */
function choice<Name extends "sub_condition" | "stockroom" | "status">(
  id: Name,
  header: string,
  letters: readonly (readonly [InventoryItem[Name], string])[],
): Column<InventoryItem, never> {
  const options = letters.map(([value, label]) => ({ value, label }));
  return {
    id,
    header,
    width: 120,
    hidden: true,
    cell: (row) => options.find(({ value }) => value === row[id])?.label ?? row[id],
    edit: choiceEdit(id, options),
  };
}

/** A field that is on or off. */
function yesOrNo<Name extends "retain" | "price_locked">(
  id: Name,
  header: string,
  [on, off]: readonly [string, string],
): Column<InventoryItem, never> {
  return {
    id,
    header,
    width: 100,
    hidden: true,
    cell: (row) => (row[id] ? on : off),
    edit: {
      kind: "select",
      options: [
        { value: "true", label: on },
        { value: "false", label: off },
      ],
      value: (row) => String(row[id]),
      parse: (text) => ({ [id]: text === "true" }),
    },
  };
}

export const inventoryColumns: readonly Column<InventoryItem, ParamOf<"inventoryItems">>[] = [
  itemColumn({
    width: 260,
    pin: "left",
    // Its history, the list behind it staying as it is.
    link: (row) => ({ opens: `?item=${row.id}` }),
  }),
  typeColumn({ width: 110, hidden: true }),
  lotColorColumn({ width: 140 }),
  lotConditionColumn({ width: 84 }),
  {
    id: "quantity",
    header: "Quantity",
    width: 96,
    align: "end",
    sortBy: "quantity",
    filter: { kind: "number", from: "quantity_min", to: "quantity_max" },
    brief: (row) => `${formatCount(row.quantity)} ×`,
    cell: (row) => (
      <span className="flex flex-col leading-tight">
        {row.quantity === 0 ? <Badge tone="warning">0</Badge> : formatCount(row.quantity)}
        {row.promised > 0 && (
          <span className="text-muted text-xs" title={`${formatCount(row.available)} free`}>
            {formatCount(row.promised)} promised
          </span>
        )}
      </span>
    ),
    sum: (rows) =>
      counted(
        rows.reduce((all, row) => all + row.quantity, 0),
        "piece",
      ),
    edit: countEdit("quantity", whyNotQuantity),
  },
  {
    ...lotPriceColumn({ width: 88 }),
    cell: (row) => (
      <span className="inline-flex items-center gap-1">
        {row.price_locked && (
          <LockKeyhole role="img" aria-label="Locked" className="size-3 text-muted" />
        )}
        {priceCell(row.price)}
      </span>
    ),
  },
  {
    id: "value",
    header: "Value",
    money: true,
    width: 92,
    align: "end",
    sortBy: "value",
    sortFirst: "desc",
    cell: (row) => valueText(rowWorth(row)),
    sum: (rows) => `worth ${worthText(worthOf(rows))}`,
  },
  marketColumn(),
  {
    id: "location",
    header: "Bin",
    width: 104,
    sortBy: "location_name",
    filter: { kind: "text", param: "location_name" },
    text: (row) => row.location_name ?? "",
    brief: (row) => row.location_name ?? <span className="text-muted">no bin</span>,
    cell: (row) => row.location_name ?? <span className="text-muted">no bin</span>,
  },
  textColumn("remarks", "Remarks", { width: 150, hidden: true }),
  textColumn("comments", "Comments", { width: 200, hidden: true }),
  moneyColumn("cost", "Cost", { width: 100, hidden: true, edit: priceEdit("cost") }),
  countColumn("bulk", "Bulk", {
    width: 80,
    hidden: true,
    edit: countEdit("bulk", (text) => whyNotWhole(text, 1, 999_999)),
  }),
  {
    id: "sale",
    header: "Sale %",
    width: 80,
    align: "end",
    hidden: true,
    cell: (row) => String(row.sale),
    edit: countEdit("sale", (text) => whyNotWhole(text, -99, 100)),
  },
  textColumn("reserved", "Reserved", { width: 130, hidden: true }),
  choice("sub_condition", "Sub-condition", [
    ["", "–"],
    ["C", "Complete"],
    ["I", "Incomplete"],
    ["M", "Sealed"],
  ]),
  choice("stockroom", "Stockroom", [
    ["", "–"],
    ["A", "A"],
    ["B", "B"],
    ["C", "C"],
  ]),
  choice("status", "Status", [
    ["I", "Include"],
    ["X", "Exclude"],
    ["E", "Extra"],
  ]),
  yesOrNo("retain", "Retain", ["yes", "–"]),
  {
    ...yesOrNo("price_locked", "Price lock", ["locked", "–"]),
    filter: {
      kind: "choice",
      param: "price_locked",
      options: [
        { value: "true", label: "Locked" },
        { value: "false", label: "Not locked" },
      ],
    },
  },
  {
    id: "listed",
    header: "Listed",
    width: 96,
    filter: { kind: "choice", param: "listed", options: listedOptions },
    text: listedText,
    cell: (row) => (
      <span
        className={row.marketplace_lot_id === null ? "text-muted" : undefined}
        title={row.marketplace_lot_id === null ? undefined : `Lot ${row.marketplace_lot_id}`}
      >
        {listedText(row)}
      </span>
    ),
  },
  {
    id: "batch",
    header: "Source batch",
    width: 170,
    hidden: true,
    filter: { kind: "text", param: "batch_name" },
    cell: (row) =>
      row.batch_id === null ? (
        <span className="text-muted">–</span>
      ) : (
        <span className="flex min-w-0 gap-1.5">
          <Link
            to={pathTo("batches", { batch: row.batch_id })}
            tabIndex={-1}
            className="truncate hover:text-accent-ink hover:underline"
          >
            {row.batch_name}
          </Link>
          {row.batch_count > 1 && <span className="text-muted">+{row.batch_count - 1}</span>}
        </span>
      ),
  },
  {
    id: "lastSold",
    header: "Last sold",
    width: 120,
    hidden: true,
    cell: (row) =>
      row.date_last_sold ? formatDate(row.date_last_sold) : <span className="text-muted">–</span>,
  },
  whenColumn("updatedAt", "Last change", {
    width: 112,
    hidden: true,
    sortBy: "updatedAt",
    filter: { kind: "date", from: "updated_from", to: "updated_to" },
  }),
  whenColumn("createdAt", "Added", { width: 112, hidden: true, sortBy: "createdAt" }),
];
