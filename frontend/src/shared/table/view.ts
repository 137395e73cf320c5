/** What both views of a table (grid and cards) are given. */
import type { MenuEntry } from "@/shared/ui/Menu";
import type { CellEdits } from "./cellEdits";
import type { Column, RowId } from "./column";
import type { Position } from "./keyboard";
import type { GridTable } from "./useGrid";
import type { Rows } from "./useRows";

export const ROW_HEIGHT = 50;
export const OVERSCAN = 5;

/** What is being edited, and the text that editing began with. */
export type Editing = { position: Position; text: string };

export type ViewProps<Row extends object> = {
  label: string;
  rows: Rows<Row>;
  grid: GridTable<Row>;
  columns: readonly Column<Row>[];
  idOf: (row: Row) => RowId;
  edits: CellEdits<Row>;
  canEdit: boolean;
  selectable: boolean;
  rowActions?: (row: Row) => readonly MenuEntry[];
  onOpen?: (row: Row) => void;
};

/** The visible columns in the person's order. */
export function visibleColumns<Row extends object>({
  grid,
  columns,
}: Pick<ViewProps<Row>, "grid" | "columns">): Column<Row>[] {
  return grid
    .getVisibleLeafColumns()
    .flatMap(({ id }) => columns.find((column) => column.id === id) ?? []);
}
