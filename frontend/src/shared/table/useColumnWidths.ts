/** The widths of the columns as one CSS grid template, shared by the header and every row. */
import { type PointerEvent, useRef } from "react";
import { type GridTable, MIN_WIDTH } from "./useGrid";

const LEADING = 40;
const TRAILING = 48;

export type ColumnWidths = {
  template: string;
  /** The least the columns need; a wider table lets them grow in proportion. */
  total: number;
  /** For the handle at a header's end: drags the column's edge. */
  handle: (columnId: string) => {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: (event: PointerEvent<HTMLElement>) => void;
  };
  /** For the keyboard: wider (or narrower) by so many pixels. */
  widen: (columnId: string, by: number) => void;
};

export function useColumnWidths<Row extends object>(
  grid: GridTable<Row>,
  extra: { leading: boolean; trailing: boolean },
): ColumnWidths {
  const drag = useRef<{ from: number; width: number } | null>(null);
  const sizes = grid.getVisibleLeafColumns().map((column) => column.getSize());
  const template = [
    extra.leading && `${LEADING}px`,
    ...sizes.map((size) => `minmax(${size}px, ${size}fr)`),
    extra.trailing && `${TRAILING}px`,
  ]
    .filter(Boolean)
    .join(" ");
  const around = (extra.leading ? LEADING : 0) + (extra.trailing ? TRAILING : 0);
  const setWidth = (id: string, width: number) =>
    grid.setColumnSizing((now) => ({ ...now, [id]: Math.max(MIN_WIDTH, Math.round(width)) }));

  /** Columns may be stretched; from here on they are as wide as they look. */
  const freeze = (header: Element) => {
    const heads = header.parentElement?.querySelectorAll<HTMLElement>("[data-column]") ?? [];
    const drawn = [...heads].map((head) => [head.dataset.column ?? "", head.offsetWidth] as const);
    grid.setColumnSizing(Object.fromEntries(drawn));
  };

  return {
    template,
    total: around + sizes.reduce((sum, size) => sum + size, 0),
    handle: (columnId) => ({
      onPointerDown: (event) => {
        event.preventDefault();
        event.stopPropagation();
        const header = event.currentTarget.closest<HTMLElement>("[data-column]");
        if (!header) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { from: event.clientX, width: header.offsetWidth };
        freeze(header);
      },
      onPointerMove: (event) => {
        if (drag.current)
          setWidth(columnId, drag.current.width + event.clientX - drag.current.from);
      },
      onPointerUp: () => {
        drag.current = null;
      },
    }),
    widen: (columnId, by) => {
      const column = grid.getColumn(columnId);
      if (column) setWidth(columnId, column.getSize() + by);
    },
  };
}
