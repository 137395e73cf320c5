import { Link } from "react-router-dom";
import { formatCount, formatDateTime, formatWeight } from "@/shared/lib/format";
import { parseWeight, weightText } from "@/shared/lib/weight";
import type { Column } from "@/shared/table/column";
import { Badge } from "@/shared/ui/Badge";
import { FillBar } from "./FillBar";
import type { Location } from "./model";
import { countFill, weightFill, whyNotCount, whyNotWeight } from "./rules";

const NAME_LENGTH = 100;

export function whyNotName(text: string): string | null {
  const name = text.trim();
  if (!name) return "A location needs a name.";
  return name.length > NAME_LENGTH ? `At most ${NAME_LENGTH} characters.` : null;
}

type WeightName = "max_total_weight" | "min_item_weight" | "max_item_weight";

function weightColumn(id: WeightName, header: string): Column<Location> {
  return {
    id,
    header,
    width: 130,
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

export const locationColumns: readonly Column<Location>[] = [
  {
    id: "name",
    header: "Name",
    width: 190,
    sortBy: "name",
    primary: true,
    hideable: false,
    cell: (row) => (
      <span className="flex items-center gap-2">
        {/* Enter on the cell opens too: one tab stop for the whole grid. */}
        <Link
          to={`?location=${row.id}`}
          tabIndex={-1}
          className="min-w-0 truncate font-medium hover:text-accent-ink hover:underline"
        >
          {row.name}
        </Link>
        {row.is_full && <Badge tone="warning">full</Badge>}
        {row.exclude_from_recommendations && <Badge>excluded</Badge>}
      </span>
    ),
  },
  {
    id: "container",
    header: "Container type",
    width: 150,
    cell: (row) => <span className="text-muted">{row.inventory_container_type_name ?? "–"}</span>,
  },
  {
    id: "lots",
    header: "Lots",
    width: 80,
    align: "end",
    cell: (row) => formatCount(row.lot_count),
  },
  {
    id: "pieces",
    header: "Pieces",
    width: 190,
    sortBy: "item_count",
    cell: (row) => <FillBar label="Pieces" fill={countFill(row)} format={formatCount} />,
  },
  {
    id: "weight",
    header: "Weight",
    width: 190,
    cell: (row) => <FillBar label="Weight" fill={weightFill(row)} format={formatWeight} />,
  },
  {
    id: "max_item_count",
    header: "Most pieces",
    width: 110,
    align: "end",
    hidden: true,
    cell: (row) => formatCount(row.max_item_count),
    edit: {
      kind: "text",
      value: (row) => (row.max_item_count === null ? "" : String(row.max_item_count)),
      check: whyNotCount,
      parse: (text) => ({ max_item_count: text.trim() === "" ? null : Number(text) }),
    },
  },
  weightColumn("max_total_weight", "Most weight"),
  weightColumn("min_item_weight", "Lightest piece"),
  weightColumn("max_item_weight", "Heaviest piece"),
  {
    id: "description",
    header: "Description",
    width: 240,
    cell: (row) => <span className="text-muted">{row.description.split("\n", 1)[0] || "–"}</span>,
    edit: {
      kind: "text",
      value: (row) => row.description,
      parse: (text) => ({ description: text.trim() }),
    },
  },
  {
    id: "updatedAt",
    header: "Last change",
    width: 170,
    sortBy: "updatedAt",
    hidden: true,
    cell: (row) => <span className="text-muted">{formatDateTime(row.updatedAt)}</span>,
  },
];
