import { Link } from "react-router-dom";
import type { ParamOf } from "@/shared/api/wire";
import { counted, formatAgo, formatCount, formatDate, formatDateTime } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { valueText } from "@/shared/lib/worth";
import type { Column } from "@/shared/table/column";
import { countColumn, linesColumn, moneyColumn, whenColumn } from "@/shared/table/fieldColumns";
import { amountEdit, choiceEdit, countEdit } from "@/shared/table/fieldEdits";
import { Badge, type Tone } from "@/shared/ui/Badge";
import { ItemImage } from "@/shared/ui/ItemImage";
import { conditionNames, conditionOptions } from "@/shared/ui/Lot";
import { Completion } from "./Completion";
import {
  type BuildableSet,
  type SetState,
  stateNames,
  stateOptions,
  subConditionOptions,
  type UserSet,
} from "./model";
import { partsWorth } from "./partsWorth";
import { lastTheme, whyNotSetCount } from "./rules";

const stateTones: Record<SetState, Tone> = {
  to_check: "warning",
  to_build: "neutral",
  in_progress: "info",
  complete: "success",
  for_sale: "accent",
  sold: "neutral",
};

export function StateBadge({ state }: { state: SetState }) {
  return <Badge tone={stateTones[state]}>{stateNames[state]}</Badge>;
}

/** Picture, name and number: what begins a row. */
export function SetName(props: {
  number: string;
  name: string;
  image: string | null;
  to?: string;
}) {
  const { number, name, image, to } = props;
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <ItemImage src={image} type="SET" name={name} />
      <span className="flex min-w-0 flex-col">
        {to ? (
          <Link
            to={to}
            tabIndex={-1}
            title={name}
            className="truncate font-medium hover:text-accent-ink hover:underline"
          >
            {name}
          </Link>
        ) : (
          <span title={name} className="truncate font-medium">
            {name}
          </span>
        )}
        <span className="truncate font-mono text-muted text-xs">{number}</span>
      </span>
    </span>
  );
}

const themeColumn: Column<{ theme: string }, never> = {
  id: "theme",
  header: "Theme",
  text: (row) => row.theme,
  cell: (row) => <span title={row.theme}>{lastTheme(row.theme)}</span>,
};

const yearColumn: Column<{ year: number | null }, never> = {
  id: "year",
  header: "Year",
  align: "end",
  sortBy: "year",
  cell: (row) => row.year ?? "–",
};

export const setColumns: readonly Column<UserSet, ParamOf<"userSets">>[] = [
  {
    id: "name",
    header: "Set",
    width: 256,
    sortBy: "number",
    primary: true,
    hideable: false,
    text: (row) => `${row.number} ${row.name}`,
    cell: (row) => (
      <SetName number={row.number} name={row.name} image={row.image_url} to={`?set=${row.id}`} />
    ),
  },
  {
    id: "state",
    header: "State",
    width: 116,
    sortBy: "state",
    text: (row) => stateNames[row.state],
    brief: (row) => stateNames[row.state],
    cell: (row) => stateNames[row.state],
    filter: { kind: "choice", param: "state", options: stateOptions },
    edit: choiceEdit("state", stateOptions),
  },
  {
    id: "completion",
    header: "On hand",
    width: 150,
    sortBy: "percent",
    filter: { kind: "number", from: "percent_min", to: "percent_max" },
    text: (row) => (row.percent === null ? "" : `${row.percent} %`),
    brief: (row) => row.percent !== null && `${row.percent} % on hand`,
    cell: (row) => <Completion required={row.pieces_required} onHand={row.pieces_on_hand} />,
  },
  {
    id: "missing",
    header: "Missing",
    width: 84,
    align: "end",
    sortBy: "missing",
    filter: { kind: "number", to: "missing_max" },
    brief: (row) =>
      row.percent === null ? "parts not known" : `${formatCount(row.pieces_missing)} missing`,
    cell: (row) => (row.percent === null ? "–" : formatCount(row.pieces_missing)),
  },
  {
    id: "minifigs",
    header: "Minifigs",
    width: 100,
    hidden: true,
    align: "end",
    cell: (row) =>
      row.minifigs_required === 0
        ? "–"
        : `${formatCount(row.minifigs_on_hand)} of ${formatCount(row.minifigs_required)}`,
  },
  {
    id: "value",
    header: "Value",
    money: true,
    width: 84,
    align: "end",
    sortBy: "value",
    cell: (row) => valueText(row.value),
  },
  {
    id: "partsValue",
    header: "In parts",
    money: true,
    width: 136,
    align: "end",
    sortBy: "parts_value",
    cell: (row) => partsWorth(row),
  },
  {
    id: "figuresAt",
    header: "As of",
    width: 104,
    hidden: true,
    cell: (row) => (
      <span className="text-muted" title={formatDateTime(row.figuresAt)}>
        {row.figuresAt && formatAgo(row.figuresAt, Date.now())}
      </span>
    ),
  },
  countColumn("quantity", "Qty", { width: 60, edit: countEdit("quantity", whyNotSetCount) }),
  { ...themeColumn, width: 140, sortBy: "theme", filter: { kind: "text", param: "theme" } },
  { ...yearColumn, width: 64 },
  {
    id: "condition",
    header: "Condition",
    width: 100,
    filter: { kind: "choice", param: "condition", options: conditionOptions },
    text: (row) => conditionNames[row.condition],
    cell: (row) => {
      const how = subConditionOptions.find(({ value }) => value === row.sub_condition);
      const name = conditionNames[row.condition];
      return row.sub_condition && how ? `${name}, ${how.label.toLowerCase()}` : name;
    },
    edit: choiceEdit("condition", conditionOptions),
  },
  { id: "location", header: "Bin", width: 110, cell: (row) => row.location_name ?? "–" },
  {
    id: "source",
    header: "Source",
    width: 130,
    hidden: true,
    cell: (row) => row.source_name ?? "–",
  },
  moneyColumn("price_paid", "Paid", {
    id: "paid",
    width: 100,
    hidden: true,
    sortBy: "price_paid",
    edit: amountEdit("price_paid"),
  }),
  {
    id: "acquired",
    header: "Acquired",
    width: 120,
    hidden: true,
    sortBy: "acquired_on",
    cell: (row) => formatDate(row.acquired_on),
  },
  linesColumn("notes", "Notes", { width: 220, hidden: true }),
  whenColumn("updatedAt", "Last change", { width: 112, hidden: true, sortBy: "updatedAt" }),
];

export const buildableColumns: readonly Column<BuildableSet>[] = [
  {
    id: "name",
    header: "Set",
    width: 300,
    sortBy: "number",
    primary: true,
    hideable: false,
    text: (row) => `${row.number} ${row.name}`,
    cell: (row) => (
      <SetName
        number={row.number}
        name={row.name}
        image={row.image_url}
        to={pathTo("catalog", { item: `SET:${row.number}` })}
      />
    ),
  },
  {
    id: "percent",
    header: "In stock",
    width: 170,
    sortBy: "percent",
    text: (row) => `${row.percent} %`,
    brief: (row) => `${row.percent} % in stock`,
    cell: (row) => <Completion required={row.pieces_required} onHand={row.pieces_in_stock} />,
  },
  countColumn("pieces_missing", "Missing", {
    id: "missing",
    width: 110,
    filter: { kind: "number", to: "missing_max" },
    brief: (row) => `${counted(row.pieces_missing, "piece")} missing`,
  }),
  countColumn("lots_missing", "Lots missing", { id: "lots", width: 120, sortBy: "lots_missing" }),
  countColumn("pieces_required", "Pieces", { id: "pieces", width: 100, sortBy: "pieces_required" }),
  { ...themeColumn, width: 170 },
  { ...yearColumn, width: 80 },
];
