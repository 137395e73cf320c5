/** The one focused cell of a grid with virtual rows. */
import { type FocusEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { Position } from "./keyboard";

export function useGridFocus(root: RefObject<HTMLElement | null>, reveal: (row: number) => void) {
  const [focus, setFocus] = useState<Position>({ row: 0, column: 0 });
  /** The focus moves to the cell as soon as it is rendered. */
  const wanted = useRef(false);
  const within = useRef(false);

  const cellOf = ({ row, column }: Position) => {
    const cell = root.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`);
    return cell?.querySelector<HTMLElement>("[data-cell-control]") ?? cell;
  };
  useLayoutEffect(() => {
    const cell = cellOf(focus);
    if (wanted.current && cell) {
      wanted.current = false;
      cell.focus();
    } else if (within.current && document.activeElement === document.body) {
      // The focused cell was scrolled away or rendered again: keys continue to work.
      (cell ?? root.current)?.focus({ preventScroll: true });
    }
  });

  return {
    focus,
    setFocus,
    goTo: (to: Position) => {
      setFocus(to);
      wanted.current = true;
      if (to.row >= 0) reveal(to.row);
    },
    onFocus: ({ target }: FocusEvent) => {
      within.current = true;
      const place = target.closest<HTMLElement>("[data-cell]")?.dataset.cell?.split(":");
      const [row = 0, column = 0] = place?.map(Number) ?? [focus.row, focus.column];
      if (row !== focus.row || column !== focus.column) setFocus({ row, column });
    },
    onBlur: ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget) {
        within.current = root.current?.contains(relatedTarget) ?? false;
        return;
      }
      // A removed cell loses the focus too, but the person has not left the grid.
      queueMicrotask(() => {
        if (target.isConnected) within.current = false;
      });
    },
  };
}
