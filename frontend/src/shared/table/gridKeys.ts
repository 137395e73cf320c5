/** The keys of a grid: they move the focus, edit, open and select. */

import type { KeyboardEvent } from "react";
import { elementOf } from "@/shared/lib/records";
import type { Press } from "@/shared/scanner/presses";
import type { GridActs } from "./editing/gridActs";
import { type Grid, nextPosition, type Position } from "./keyboard";
import type { RowsViewProps } from "./view";

/** Elements in the grid that handle keys themselves. */
const OWN_KEYS = "[role=menu], [data-cell-editor], [data-own-keys]";

export function gridKeys<Row extends object>(
  { rowAt, rowKeys, onOpen, choice, say }: RowsViewProps<Row>,
  grid: {
    size: Grid;
    focus: Position;
    goTo: (position: Position) => void;
    acts: GridActs<Row> | null;
    isEditing: boolean;
    edit: (position: Position, typed?: string) => boolean;
  },
) {
  const { focus } = grid;
  return (event: Press | KeyboardEvent): void => {
    const target = elementOf(event.target);
    if (grid.isEditing || target?.closest(OWN_KEYS) || grid.acts?.keyDown(event)) return;
    const to = nextPosition(focus, event, grid.size);
    if (to) {
      event.preventDefault();
      grid.goTo(to);
      return;
    }
    const row = rowAt(focus.row);
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (row && isPlain && rowKeys?.[event.key]) {
      event.preventDefault();
      rowKeys[event.key]?.(row.original, say);
      return;
    }
    const onControl = target?.closest("a, button, input");
    if (!row || (onControl && !(event.key === " " && target?.hasAttribute("data-row-box")))) return;
    if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      if (!grid.edit(focus) && event.key === "Enter") onOpen?.(row.original);
    } else if (event.key === " " && choice) {
      event.preventDefault();
      choice.toggle(row, focus.row, event.shiftKey);
    } else if (event.key.length === 1 && isPlain && grid.edit(focus, event.key)) {
      event.preventDefault();
    }
  };
}
