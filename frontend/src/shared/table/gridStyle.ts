/**
 * The layout of a grid's columns as CSS variables on its root: a change does not re-render rows.
 */
import { clsx } from "clsx";
import type { Column, ColumnHead, Side } from "./column";
import type { GridColumn, GridHead } from "./useGridTable";

const LEADING = 40;
const TRAILING = 48;

export type Frame = { leading: boolean; trailing: boolean };

/**
 * Spare width goes to text columns rather than to numbers, which people compare down the column.
 */
const FIGURES_GROW = 0.6;
/** A column of ticks, letters or short numbers has room enough on any screen. */
const NARROW = 84;
const growth = ({ columnDef }: GridHead): number =>
  columnDef.meta.align === "end" ? FIGURES_GROW : 1;

/** The variables; `widths` are the widths of columns while their edge is dragged. */
export function gridStyle(
  shown: readonly GridHead[],
  frame: Frame,
  widths: Readonly<Record<string, number>> = {},
): Record<string, string> {
  const widthOf = (column: GridHead) => widths[column.id] ?? column.getSize();
  const tracks = shown.map((column) => {
    const width = widthOf(column);
    // A pinned column next to other pinned columns has exactly its width, which their position
    // depends on.
    const isBeside = column.getIsPinned() && !isInnermost(column);
    const isFixed = isBeside || width <= NARROW;
    return isFixed ? `${width}px` : `minmax(${width}px, ${Math.round(width * growth(column))}fr)`;
  });
  const around = (frame.leading ? LEADING : 0) + (frame.trailing ? TRAILING : 0);
  const style: Record<string, string> = {
    "--columns": [
      ...(frame.leading ? [`${LEADING}px`] : []),
      ...tracks,
      ...(frame.trailing ? [`${TRAILING}px`] : []),
    ].join(" "),
    "--width": `${around + shown.reduce((sum, column) => sum + widthOf(column), 0)}px`,
  };
  let left = frame.leading ? LEADING : 0;
  shown.forEach((column, index) => {
    if (column.getIsPinned() !== "start") return;
    style[`--pin-${index}`] = `${left}px`;
    left += widthOf(column);
  });
  let right = frame.trailing ? TRAILING : 0;
  [...shown.entries()].reverse().forEach(([index, column]) => {
    if (column.getIsPinned() !== "end") return;
    style[`--pin-${index}`] = `${right}px`;
    right += widthOf(column);
  });
  return style;
}

/** The width that pinned columns cover at both sides, in pixels. */
export function pinnedWidths(shown: readonly GridHead[], frame: Frame) {
  const sum = (side: "start" | "end") =>
    shown.reduce((all, one) => all + (one.getIsPinned() === side ? one.getSize() : 0), 0);
  const left = sum("start");
  return {
    // The checkboxes are pinned with other pinned columns, the row's menu always.
    left: left > 0 && frame.leading ? left + LEADING : left,
    right: sum("end") + (frame.trailing ? TRAILING : 0),
  };
}

/** A column as the rows draw it: the values that are the same for all rows, computed once. */
export type Drawn<Row> = {
  column: Column<Row>;
  side: Side | null;
  className: string;
  style: Record<string, string> | undefined;
};

/** The same without its cells. */
export type DrawnHead = Omit<Drawn<never>, "column"> & { column: ColumnHead };

export const STICKY = "sticky z-[1] bg-inherit";

export function drawnColumns<Row extends object>(shown: readonly GridColumn<Row>[]): Drawn<Row>[] {
  return shown.map((head, index) => {
    const column = head.columnDef.meta;
    const pinned = head.getIsPinned();
    const side = pinned && (pinned === "start" ? "left" : "right");
    const innermost = pinned && isInnermost(head);
    return {
      column,
      side: side || null,
      className: clsx(
        "flex min-w-0 items-center px-2.5 -outline-offset-2",
        column.align === "end" && "justify-end text-right tabular-nums",
        side ? STICKY : "relative",
        innermost && (side === "left" ? "border-r border-line" : "border-l border-line"),
      ),
      style: side ? { [side]: `var(--pin-${index})` } : undefined,
    };
  });
}

/** A pinned column beside those that scroll. */
function isInnermost(column: GridHead): boolean {
  const side = column.getIsPinned();
  return side === "start" ? column.getIsLastColumn("start") : column.getIsFirstColumn("end");
}
