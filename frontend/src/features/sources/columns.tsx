import { clsx } from "clsx";
import type { ParamOf } from "@/shared/api/wire";
import { counted } from "@/shared/lib/format";
import { hides } from "@/shared/lib/role";
import { returnText } from "@/shared/lib/worth";
import type { Column } from "@/shared/table/column";
import { countColumn, linesColumn, whenColumn } from "@/shared/table/fieldColumns";
import { textEdit } from "@/shared/table/fieldEdits";
import { worthCell } from "@/shared/ui/Price";
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

const sourceColumns: readonly Column<Source, ParamOf<"sources">>[] = [
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
  countColumn("batch_count", "Batches", {
    id: "batches",
    width: 110,
    sortBy: "batch_count",
    brief: (row) => counted(row.batch_count, "batch", "batches"),
    filter: {
      kind: "choice",
      param: "used",
      options: [
        { value: "true", label: "Used" },
        { value: "false", label: "Unused" },
      ],
    },
  }),
  countColumn("lot_count", "Lots", { id: "lots", width: 90 }),
  {
    id: "spent",
    header: "Spent",
    money: true,
    width: 110,
    align: "end",
    sortBy: "spent",
    brief: (row) => `${sumText(row.spent)} spent`,
    cell: (row) => sumText(row.spent),
  },
  {
    id: "value",
    header: "Value",
    money: true,
    width: 150,
    align: "end",
    sortBy: "value",
    cell: (row) => worthCell(row),
  },
  {
    id: "return",
    from: "spent",
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
    money: true,
    width: 110,
    align: "end",
    cell: (row) => sumText(row.price_per_kg),
  },
  linesColumn("notes", "Notes", {
    width: 300,
    edit: textEdit("notes", { lines: true, check: whyNotNotes }),
  }),
  whenColumn("updatedAt", "Last change", { width: 120, hidden: true, sortBy: "updatedAt" }),
  whenColumn("createdAt", "Made", { width: 120, sortBy: "createdAt", hidden: true }),
];

const fields: Partial<Record<string, string>> = { return: "return_on_cost", perKg: "price_per_kg" };

/** The columns of what the person's role sees. */
export const columnsSeen = () => sourceColumns.filter(({ id }) => !hides(fields[id] ?? id));
