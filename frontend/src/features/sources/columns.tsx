import { clsx } from "clsx";
import { counted, formatCount, formatDateTime } from "@/shared/lib/format";
import { returnText } from "@/shared/lib/worth";
import type { Column } from "@/shared/table/column";
import { textEdit } from "@/shared/table/fieldEdits";
import { worthCell } from "@/shared/ui/Price";
import { When } from "@/shared/ui/When";
import type { Source } from "./model";
import { sumText, type Verdict, verdictOf } from "./rules";

const NAME_LENGTH = 200;

/** Why a name cannot be a source's, or null. */
export function whyNotName(text: string): string | null {
  const name = text.trim();
  if (!name) return "A source needs a name.";
  return name.length > NAME_LENGTH ? `At most ${NAME_LENGTH} characters.` : null;
}

const NOTES_LENGTH = 10_000;

function whyNotNotes(text: string): string | null {
  return text.length > NOTES_LENGTH ? "At most 10,000 characters." : null;
}

const firstLine = (notes: string) => notes.split("\n", 1)[0] ?? "";

export const verdictTones: Record<Verdict, string> = {
  gain: "text-success",
  loss: "text-danger",
  unknown: "text-muted",
};

function Return({ of: { return_on_cost: ratio } }: { of: Pick<Source, "return_on_cost"> }) {
  return (
    <span className={clsx("font-medium", verdictTones[verdictOf(ratio)])}>{returnText(ratio)}</span>
  );
}

export const sourceColumns: readonly Column<Source>[] = [
  {
    id: "name",
    header: "Name",
    width: 220,
    sortBy: "name",
    primary: true,
    hideable: false,
    text: (row) => row.name,
    cell: (row) => <span className="font-medium">{row.name}</span>,
    edit: textEdit("name", { check: whyNotName }),
  },
  {
    id: "batches",
    header: "Batches",
    width: 110,
    align: "end",
    sortBy: "batch_count",
    brief: (row) => counted(row.batch_count, "batch", "batches"),
    cell: (row) => formatCount(row.batch_count),
    filter: {
      kind: "choice",
      param: "used",
      options: [
        { value: "true", label: "Used" },
        { value: "false", label: "Unused" },
      ],
    },
  },
  {
    id: "lots",
    header: "Lots",
    width: 90,
    align: "end",
    cell: (row) => formatCount(row.lot_count),
  },
  {
    id: "spent",
    header: "Spent",
    width: 110,
    align: "end",
    sortBy: "spent",
    brief: (row) => `${sumText(row.spent)} spent`,
    cell: (row) => sumText(row.spent),
  },
  {
    id: "value",
    header: "Value",
    width: 150,
    align: "end",
    sortBy: "value",
    cell: (row) => worthCell(row),
  },
  {
    id: "return",
    header: "Return",
    width: 90,
    align: "end",
    text: (row) => row.return_on_cost ?? "",
    brief: (row) => <Return of={row} />,
    cell: (row) => <Return of={row} />,
  },
  {
    id: "perKg",
    header: "Price per kg",
    width: 110,
    align: "end",
    cell: (row) => sumText(row.price_per_kg),
  },
  {
    id: "notes",
    header: "Notes",
    width: 300,
    text: (row) => row.notes,
    cell: (row) => (
      <span className="text-muted" title={row.notes || undefined}>
        {firstLine(row.notes) || "–"}
      </span>
    ),
    edit: textEdit("notes", { lines: true, check: whyNotNotes }),
  },
  {
    id: "updatedAt",
    header: "Last change",
    width: 120,
    sortBy: "updatedAt",
    text: (row) => formatDateTime(row.updatedAt),
    cell: (row) => <When at={row.updatedAt} />,
  },
  {
    id: "createdAt",
    header: "Made",
    width: 120,
    sortBy: "createdAt",
    hidden: true,
    text: (row) => formatDateTime(row.createdAt),
    cell: (row) => <When at={row.createdAt} />,
  },
];
