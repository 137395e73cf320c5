import { formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import type { Column } from "@/shared/table/column";
import { countColumn } from "@/shared/table/fieldColumns";
import { countEdit } from "@/shared/table/fieldEdits";
import { colorColumn, itemColumn } from "@/shared/table/lotColumns";
import type { SetPart } from "./model";
import { whyNotOnHand } from "./rules";

const places = (part: SetPart): string =>
  part.places
    .map(({ location_name, quantity }) => `${location_name || "no bin"} (${quantity})`)
    .join(", ");

/** The columns; `onTick` counts all pieces of a part as on hand, or none. */
export const partColumns = (onTick: (part: SetPart) => void): readonly Column<SetPart>[] => [
  {
    id: "tick",
    header: "All here",
    width: 76,
    text: (row) => (row.quantity_missing === 0 ? "yes" : ""),
    cell: (row) => (
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={`All ${row.quantity_required} of ${row.item_number} on hand`}
        checked={row.quantity_missing === 0}
        onChange={() => onTick(row)}
        className="block size-4 cursor-pointer accent-(--color-accent) pointer-coarse:size-6"
      />
    ),
  },
  itemColumn({
    id: "item",
    header: "Part",
    width: 320,
    sortBy: "name",
    link: (row) => ({
      to: pathTo("catalog", { item: `${row.item_type}:${row.item_number}` }),
    }),
  }),
  colorColumn({ width: 170, sortBy: "color", filter: { kind: "text", param: "color" } }),
  countColumn("quantity_required", "Required", { id: "required", width: 100, sortBy: "required" }),
  countColumn("quantity_on_hand", "On hand", {
    id: "onHand",
    width: 100,
    sortBy: "on_hand",
    text: (row) => String(row.quantity_on_hand),
    edit: countEdit("quantity_on_hand", whyNotOnHand),
  }),
  {
    id: "missing",
    header: "Missing",
    width: 100,
    align: "end",
    sortBy: "missing",
    text: (row) => String(row.quantity_missing),
    cell: (row) =>
      row.quantity_missing === 0 ? (
        <span className="text-success">complete</span>
      ) : (
        <span className="font-medium">{formatCount(row.quantity_missing)}</span>
      ),
  },
  {
    id: "stock",
    header: "In stock",
    width: 100,
    align: "end",
    text: (row) => String(row.in_stock),
    cell: (row) => (row.in_stock === 0 ? "–" : formatCount(row.in_stock)),
  },
  {
    id: "places",
    header: "Where",
    width: 200,
    text: places,
    cell: (row) => (
      <span title={places(row)} className="truncate text-muted">
        {places(row) || "–"}
      </span>
    ),
  },
];
