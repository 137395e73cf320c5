import { Link } from "react-router-dom";
import type { ParamOf } from "@/shared/api/wire";
import { wholeOf } from "@/shared/lib/amounts";
import { counted, formatCount, formatDateTime, formatWeight } from "@/shared/lib/format";
import { parseWeight, unweighedText, weightText } from "@/shared/lib/weight";
import type { Column } from "@/shared/table/column";
import { countColumn, linesColumn, whenColumn } from "@/shared/table/fieldColumns";
import { textEdit } from "@/shared/table/fieldEdits";
import { Badge } from "@/shared/ui/Badge";
import { FillBar } from "./FillBar";
import { type ContainerType, type Location, SIZE_CLASSES, sizeName } from "./model";
import { countFill, weightFill, whyNotCount, whyNotWeight } from "./rules";

const NAME_LENGTH = 100;
const FILLS = [
  { value: "empty", label: "Empty" },
  { value: "nearly_full", label: "Nearly full" },
  { value: "full", label: "Takes no more" },
  { value: "over", label: "Over a limit" },
] as const;

export function whyNotName(text: string): string | null {
  const name = text.trim();
  if (!name) return "A location needs a name.";
  return name.length > NAME_LENGTH ? `At most ${NAME_LENGTH} characters.` : null;
}

type WeightName = "max_total_weight" | "min_item_weight" | "max_item_weight";

function weightColumn(
  id: WeightName,
  header: string,
): Column<Location, ParamOf<"inventoryLocations">> {
  return {
    id,
    header,
    width: 106,
    align: "end",
    hidden: true,
    cell: (row) => formatWeight(row[id]),
    edit: {
      kind: "text",
      value: (row) => weightText(row[id]),
      check: whyNotWeight,
      parse: (text) => ({ [id]: parseWeight(text) ?? null }),
    },
  };
}

const RECOMMENDED = [
  { value: "false", label: "Recommended" },
  { value: "true", label: "Excluded" },
] as const;

const LABELS = [
  { value: "false", label: "No label printed" },
  { value: "true", label: "Printed" },
] as const;

const nameColumn: Column<Location, ParamOf<"inventoryLocations">> = {
  id: "name",
  header: "Name",
  width: 128,
  pin: "left",
  sortBy: "name",
  primary: true,
  hideable: false,
  text: (row) => row.name,
  edit: textEdit("name", { check: whyNotName }),
  cell: (row) => (
    <span className="flex items-center gap-2">
      {/* Enter on a cell that is not edited opens too: one tab stop for the whole grid. */}
      <Link
        to={`?location=${row.id}`}
        tabIndex={-1}
        className="min-w-0 truncate font-medium hover:text-accent-ink hover:underline"
      >
        {row.name}
      </Link>
      {row.is_full && <Badge tone="warning">full</Badge>}
    </span>
  ),
};

const optionsOf = (types: readonly ContainerType[]) =>
  types.map(({ id, name }) => ({ value: String(id), label: name }));

const typeColumn = (
  types: readonly ContainerType[],
): Column<Location, ParamOf<"inventoryLocations">> => ({
  id: "container",
  header: "Container type",
  width: 124,
  text: (row) => row.inventory_container_type_name ?? "",
  cell: (row) => <span className="text-muted">{row.inventory_container_type_name ?? "–"}</span>,
  filter: {
    kind: "choice",
    param: "container_type",
    options: [...optionsOf(types), { value: "none", label: "None" }],
  },
  edit: {
    kind: "select",
    options: [{ value: "", label: "None" }, ...optionsOf(types)],
    value: (row) => String(row.inventory_container_type_id ?? ""),
    parse: (text) => ({ inventory_container_type_id: text === "" ? null : Number(text) }),
  },
});

/** What it has, and what it takes. */
const roomColumns: readonly Column<Location, ParamOf<"inventoryLocations">>[] = [
  {
    id: "size",
    header: "Size",
    width: 90,
    hidden: true,
    text: (row) => sizeName(row.size_class),
    filter: { kind: "choice", param: "size_class", options: SIZE_CLASSES },
    cell: (row) => <span className="text-muted">{sizeName(row.size_class)}</span>,
  },
  countColumn("lot_count", "Lots", {
    id: "lots",
    width: 60,
    brief: (row) => counted(row.lot_count, "lot"),
  }),
  {
    id: "pieces",
    header: "Pieces",
    width: 152,
    sortBy: "item_count",
    text: (row) => String(row.item_count),
    filter: { kind: "choice", param: "fill", options: FILLS },
    brief: (row) =>
      row.max_item_count === null
        ? counted(row.item_count, "piece")
        : `${formatCount(row.item_count)} of ${counted(row.max_item_count, "piece")}`,
    cell: (row) => <FillBar label="Pieces" fill={countFill(row)} format={formatCount} />,
  },
  {
    id: "weight",
    header: "Weight",
    width: 130,
    sortBy: "stored_weight",
    text: (row) => row.stored_weight,
    brief: (row) => Number(row.stored_weight) > 0 && formatWeight(row.stored_weight),
    cell: (row) => (
      <FillBar
        label="Weight"
        fill={weightFill(row)}
        format={formatWeight}
        leftOut={unweighedText(row.unknown_weight_count)}
        leftOutShort={`${counted(row.unknown_weight_count, "piece")} unweighed`}
      />
    ),
  },
  countColumn("max_item_count", "Most pieces", {
    width: 92,
    hidden: true,
    edit: {
      kind: "text",
      value: (row) => (row.max_item_count === null ? "" : String(row.max_item_count)),
      check: whyNotCount,
      parse: (text) => ({ max_item_count: text.trim() === "" ? null : wholeOf(text) }),
    },
  }),
  weightColumn("max_total_weight", "Most weight"),
  weightColumn("min_item_weight", "Lightest piece"),
  weightColumn("max_item_weight", "Heaviest piece"),
];

const excludedColumn = (set: SetFields): Column<Location, ParamOf<"inventoryLocations">> => ({
  id: "excluded",
  header: "Excluded",
  width: 92,
  text: (row) => (row.exclude_from_recommendations ? "Excluded" : "Recommended"),
  filter: { kind: "choice", param: "exclude_from_recommendations", options: RECOMMENDED },
  cell: (row) => (
    <label className="flex cursor-pointer items-center gap-2 text-muted text-xs">
      {/* The cell's own editing is for the keyboard: one tab stop for the whole grid. */}
      <input
        type="checkbox"
        role="switch"
        aria-checked={row.exclude_from_recommendations}
        tabIndex={-1}
        aria-label={`Exclude ${row.name} from recommendations`}
        checked={row.exclude_from_recommendations}
        onChange={(event) => set(row, { exclude_from_recommendations: event.target.checked })}
        onDoubleClick={(event) => event.stopPropagation()}
        className="size-4 cursor-pointer accent-(--accent)"
      />
      {row.exclude_from_recommendations && "excluded"}
    </label>
  ),
  edit: {
    kind: "select",
    options: RECOMMENDED,
    value: (row) => String(row.exclude_from_recommendations),
    parse: (text) => ({ exclude_from_recommendations: text === "true" }),
  },
});

const noteColumns: readonly Column<Location, ParamOf<"inventoryLocations">>[] = [
  whenColumn("labelPrintedAt", "Label", {
    id: "label",
    width: 100,
    hidden: true,
    text: (row) => (row.labelPrintedAt ? formatDateTime(row.labelPrintedAt) : ""),
    filter: { kind: "choice", param: "label_printed", options: LABELS },
    none: "none",
  }),
  whenColumn("lastCountedAt", "Last count", {
    width: 104,
    hidden: true,
    text: (row) => (row.lastCountedAt ? formatDateTime(row.lastCountedAt) : ""),
    none: "never",
  }),
  linesColumn("description", "Description", {
    width: 160,
    edit: textEdit("description", { lines: true }),
  }),
  whenColumn("updatedAt", "Last change", { width: 112, hidden: true, sortBy: "updatedAt" }),
];

type SetFields = (location: Location, changes: Partial<Location>) => void;

/** The columns; `set` stores what is ticked in them. */
export const columnsOf = (
  types: readonly ContainerType[],
  set: SetFields,
): readonly Column<Location, ParamOf<"inventoryLocations">>[] => [
  nameColumn,
  typeColumn(types),
  ...roomColumns,
  excludedColumn(set),
  ...noteColumns,
];
