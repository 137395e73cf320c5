import { Link } from "react-router-dom";
import type { ParamOf } from "@/shared/api/wire";
import { priceOf, whyNotPrice } from "@/shared/lib/amounts";
import { counted, formatDate } from "@/shared/lib/format";
import { numberText } from "@/shared/lib/numbers";
import { returnText } from "@/shared/lib/worth";
import type { Column } from "@/shared/table/column";
import { countColumn, linesColumn, moneyColumn, whenColumn } from "@/shared/table/fieldColumns";
import { textEdit } from "@/shared/table/fieldEdits";
import { Badge, type Tone } from "@/shared/ui/Badge";
import { worthCell } from "@/shared/ui/Price";
import { type Batch, STATUSES } from "./model";
import { RunningBadges } from "./RunningBadges";
import { returnOf, segmentsOf, worthIn } from "./rules";
import { StateBarSmall } from "./StateBar";

/** Tones of the statuses 1 to 5: new, in progress, stowed, listed, empty. */
const statusTones: Record<number, Tone> = { 1: "neutral", 2: "info", 3: "accent", 4: "success" };

export function StatusBadge({ batch }: { batch: Pick<Batch, "status_id" | "status_name"> }) {
  return <Badge tone={statusTones[batch.status_id] ?? "neutral"}>{batch.status_name}</Badge>;
}

const statusOptions = STATUSES.map(({ id, name }) => ({ value: String(id), label: name }));

const NAME_LENGTH = 200;

/** Why a name cannot be a batch's, or null. */
export function whyNotName(text: string): string | null {
  const name = text.trim();
  if (!name) return "A batch needs a name.";
  return name.length > NAME_LENGTH ? `At most ${NAME_LENGTH} characters.` : null;
}

export const batchColumns: readonly Column<Batch, ParamOf<"batches">>[] = [
  {
    id: "name",
    header: "Name",
    width: 224,
    sortBy: "name",
    primary: true,
    hideable: false,
    text: (batch) => batch.name,
    edit: textEdit("name", { check: whyNotName }),
    cell: (batch) => (
      <span className="flex min-w-0 items-center gap-2">
        {/* Enter on a cell that is not edited opens too: one tab stop for the whole grid. */}
        <Link
          to={`?batch=${batch.id}`}
          tabIndex={-1}
          className="min-w-0 truncate font-medium hover:text-accent-ink hover:underline"
        >
          {batch.name}
        </Link>
        {batch.is_archived && <Badge tone="warning">archived</Badge>}
        <RunningBadges batch={batch} />
      </span>
    ),
  },
  {
    id: "status",
    header: "Status",
    width: 108,
    filter: { kind: "choice", param: "status_id", options: statusOptions },
    text: (batch) => batch.status_name,
    brief: (batch) => batch.status_name,
    cell: (batch) => batch.status_name,
  },
  {
    id: "progress",
    header: "New, stowed, listed",
    width: 144,
    text: (batch) =>
      segmentsOf(batch.stats)
        .map(({ label, lots }) => `${lots} ${label.toLowerCase()}`)
        .join(", "),
    cell: (batch) => <StateBarSmall stats={batch.stats} />,
  },
  countColumn("batch_item_lot_count", "Lots", {
    id: "lots",
    width: 64,
    brief: (batch) => counted(batch.batch_item_lot_count, "lot"),
  }),
  countColumn("batch_item_item_count", "Items", {
    id: "items",
    width: 84,
    brief: (batch) => counted(batch.batch_item_item_count, "piece"),
  }),
  {
    id: "value",
    header: "Value",
    money: true,
    width: 112,
    align: "end",
    filter: { kind: "number", from: "value_min", to: "value_max" },
    brief: (batch) => worthCell(worthIn(batch)),
    cell: (batch) => worthCell(worthIn(batch)),
  },
  moneyColumn("cost_total", "Cost", {
    id: "cost",
    width: 100,
    sortBy: "cost_total",
    edit: {
      kind: "text",
      value: (batch) => numberText(batch.cost_total),
      check: (text) => (text.trim() === "" ? null : whyNotPrice(text)),
      parse: (text) => ({ cost_total: text.trim() === "" ? null : priceOf(text) }),
    },
  }),
  {
    id: "return",
    from: "cost_total",
    header: "Return",
    width: 104,
    align: "end",
    cell: (batch) => returnText(returnOf(batch)),
  },
  {
    id: "source",
    header: "Source",
    width: 118,
    cell: (batch) => <span className="text-muted">{batch.source_name ?? "–"}</span>,
  },
  whenColumn("created_at", "Created", {
    id: "created",
    width: 126,
    sortBy: "created_at",
    filter: { kind: "date", from: "created_from", to: "created_to" },
    text: (batch) => formatDate(batch.created_at),
  }),
  whenColumn("updatedAt", "Last change", {
    id: "updated",
    width: 126,
    hidden: true,
    sortBy: "updatedAt",
  }),
  linesColumn("description", "Description", {
    width: 240,
    hidden: true,
    edit: textEdit("description", { lines: true }),
  }),
];
