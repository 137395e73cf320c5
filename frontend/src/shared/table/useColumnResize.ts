/** Widths by hand: an edge is dragged, Alt and arrows widen, a double click fits the contents. */
import { type PointerEvent, type RefObject, useRef } from "react";
import { type Frame, gridStyle } from "./gridStyle";
import { type ColumnLayout, MIN_WIDTH } from "./useColumns";

const WIDEST_FIT = 640;
/** What a cell has around its content, and a head beside its name (arrow, rank). */
const CELL_ROOM = 22;
const HEAD_ROOM = 40;

type Widths = Record<string, number>;

export type ColumnResize = {
  /** For the handle at a head's end. */
  handle: (columnId: string) => {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: () => void;
    onDoubleClick: () => void;
  };
  widen: (columnId: string, by: number) => void;
};

export function useColumnResize<Row>(
  layout: ColumnLayout<Row>,
  frame: Frame,
  root: RefObject<HTMLElement | null>,
): ColumnResize {
  const drag = useRef<{ from: number; width: number; widths: Widths } | null>(null);

  /** Straight to the variables: no row is drawn again while an edge is dragged. */
  const show = (widths: Widths) => {
    for (const [name, value] of Object.entries(gridStyle(layout.shown, frame, widths))) {
      root.current?.style.setProperty(name, value);
    }
  };
  /** Columns may be stretched; from here on they are as wide as they look. */
  const drawnWidths = (): Widths =>
    Object.fromEntries(
      [...(root.current?.querySelectorAll<HTMLElement>("[data-column]") ?? [])].map((head) => [
        head.dataset.column ?? "",
        head.offsetWidth,
      ]),
    );

  return {
    handle: (columnId) => ({
      onPointerDown: (event) => {
        event.preventDefault();
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        const widths = drawnWidths();
        drag.current = { from: event.clientX, width: widths[columnId] ?? MIN_WIDTH, widths };
      },
      onPointerMove: (event) => {
        const held = drag.current;
        if (!held) return;
        const width = Math.max(MIN_WIDTH, Math.round(held.width + event.clientX - held.from));
        held.widths = { ...held.widths, [columnId]: width };
        show(held.widths);
      },
      onPointerUp: () => {
        const held = drag.current;
        drag.current = null;
        if (held && held.widths[columnId] !== held.width) layout.setWidths(held.widths);
      },
      onDoubleClick: () => {
        const fitting = contentWidth(root.current, columnId);
        if (fitting) layout.setWidths({ ...drawnWidths(), [columnId]: fitting });
      },
    }),
    widen: (columnId, by) => {
      const now = layout.shown.find(({ column }) => column.id === columnId);
      if (now) layout.setWidths({ [columnId]: now.width + by });
    },
  };
}

/** The width of the widest of what is drawn of a column. */
function contentWidth(root: HTMLElement | null, columnId: string): number | null {
  const heads = [...(root?.querySelectorAll<HTMLElement>("[data-column]") ?? [])];
  const head = heads.find((one) => one.dataset.column === columnId);
  const at = head?.dataset.cell?.split(":")[1];
  if (!root || !head || at === undefined) return null;
  const contents = [...root.querySelectorAll<HTMLElement>(`[data-cell$=":${at}"] > :first-child`)];
  const free = "flex:none;width:max-content;max-width:none";
  const kept = contents.map((one) => one.style.cssText);
  for (const one of contents) one.style.cssText = free;
  const widths = contents.map((one) =>
    Math.ceil(one.getBoundingClientRect().width + (head.contains(one) ? HEAD_ROOM : CELL_ROOM)),
  );
  contents.forEach((one, index) => {
    one.style.cssText = kept[index] ?? "";
  });
  return Math.min(WIDEST_FIT, Math.max(MIN_WIDTH, ...widths));
}
