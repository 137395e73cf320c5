/** The props of all views of a table: grid, cards, tiles. */

import type { MouseEvent } from "react";
import { elementOf } from "@/shared/lib/records";
import type { MenuEntry } from "@/shared/ui/Menu";
import type { CellEdits } from "./cellEdits";
import type { RowId } from "./column";
import type { Position } from "./keyboard";
import type { TableState } from "./tableState";
import type { ColumnLayout, GridRow } from "./useGridTable";
import type { Rows } from "./useRows";
import type { RowChoice } from "./useSelection";

export const ROW_HEIGHT = 50;
/** Of rows that a person wants close together. */
export const COMPACT_HEIGHT = 32;
export const OVERSCAN = 5;

/**
 * Whether a click on a row's name (`data-open`) should open the row here; the browser's default is
 * then prevented. A router Link in every row would cost more than the rest of the row.
 */
export function opensHere(event: MouseEvent): boolean {
  const name = elementOf(event.target)?.closest("[data-open]");
  if (!name || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return false;
  event.preventDefault();
  return true;
}

/** The edited cell and its text at the start of editing. */
export type Editing = {
  position: Position;
  text: string;
  /** Editing began by typing: the text is the typed letter. */
  typed: boolean;
  /** The cell's own text. */
  value: string;
};

export type RowsViewProps<Row extends object> = {
  label: string;
  state: TableState;
  rows: Rows<Row>;
  /** The row of TanStack's table at a position of this view; undefined while it is loading. */
  rowAt: (index: number) => GridRow<Row> | undefined;
  layout: ColumnLayout<Row>;
  idOf: (row: Row) => RowId;
  edits: CellEdits<Row>;
  canEdit: boolean;
  /** Null where rows cannot be selected. */
  choice: RowChoice<Row> | null;
  rowActions?: (row: Row) => readonly MenuEntry[];
  rowKeys?: Readonly<Record<string, (row: Row, say: (text: string) => void) => void>>;
  onOpen?: (row: Row) => void;
  /** Of the columns of money. */
  currency?: string;
  /** Announces a change to screen readers. */
  say: (text: string) => void;
};
