import { formatDateTime } from "@/shared/lib/format";
import type { Column } from "@/shared/table/column";
import type { Source } from "./model";

const NAME_LENGTH = 200;

/** Why a name cannot be a source's, or null. */
export function whyNotName(text: string): string | null {
  const name = text.trim();
  if (!name) return "A source needs a name.";
  return name.length > NAME_LENGTH ? `At most ${NAME_LENGTH} characters.` : null;
}

const firstLine = (notes: string) => notes.split("\n", 1)[0] ?? "";

export const sourceColumns: readonly Column<Source>[] = [
  {
    id: "name",
    header: "Name",
    width: 260,
    sortBy: "name",
    primary: true,
    hideable: false,
    cell: (row) => <span className="font-medium">{row.name}</span>,
    edit: {
      kind: "text",
      value: (row) => row.name,
      check: whyNotName,
      parse: (text) => ({ name: text.trim() }),
    },
  },
  {
    id: "notes",
    header: "Notes",
    width: 420,
    cell: (row) => <span className="text-muted">{firstLine(row.notes) || "–"}</span>,
  },
  {
    id: "updatedAt",
    header: "Last change",
    width: 170,
    sortBy: "updatedAt",
    cell: (row) => <span className="text-muted">{formatDateTime(row.updatedAt)}</span>,
  },
  {
    id: "createdAt",
    header: "Made",
    width: 170,
    sortBy: "createdAt",
    hidden: true,
    cell: (row) => <span className="text-muted">{formatDateTime(row.createdAt)}</span>,
  },
];
