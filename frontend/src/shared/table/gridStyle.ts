/**
 * The layout of a grid's columns as CSS variables on its root: a change does not re-render rows.
 */
import type { Column, ColumnHead, Side } from "./column";
import type { Placed } from "./useColumns";

const LEADING = 40;
const TRAILING = 48;

export type Frame = { leading: boolean; trailing: boolean };

/**
 * Spare width goes to text columns rather than to numbers, which people compare down the column.
 */
const FIGURES_GROW = 0.6;
const growth = <Row>({ column }: Placed<Row>): number =>
  column.align === "end" ? FIGURES_GROW : 1;

/** The variables; `widths` are the widths of columns while their edge is dragged. */
export function gridStyle<Row>(
  shown: readonly Placed<Row>[],
  frame: Frame,
  widths: Readonly<Record<string, number>> = {},
): Record<string, string> {
  const widthOf = (one: Placed<Row>) => widths[one.column.id] ?? one.width;
  const tracks = shown.map((one, index) => {
    const width = widthOf(one);
    // A pinned column next to other pinned columns has exactly its width, which their position
    // depends on.
    const isFixed =
      (one.side === "left" && shown[index + 1]?.side === "left") ||
      (one.side === "right" && shown[index - 1]?.side === "right");
    return isFixed ? `${width}px` : `minmax(${width}px, ${Math.round(width * growth(one))}fr)`;
  });
  const around = (frame.leading ? LEADING : 0) + (frame.trailing ? TRAILING : 0);
  const style: Record<string, string> = {
    "--columns": [
      ...(frame.leading ? [`${LEADING}px`] : []),
      ...tracks,
      ...(frame.trailing ? [`${TRAILING}px`] : []),
    ].join(" "),
    "--width": `${around + shown.reduce((sum, one) => sum + widthOf(one), 0)}px`,
  };
  let left = frame.leading ? LEADING : 0;
  shown.forEach((one, index) => {
    if (one.side !== "left") return;
    style[`--pin-${index}`] = `${left}px`;
    left += widthOf(one);
  });
  let right = frame.trailing ? TRAILING : 0;
  [...shown.entries()].reverse().forEach(([index, one]) => {
    if (one.side !== "right") return;
    style[`--pin-${index}`] = `${right}px`;
    right += widthOf(one);
  });
  return style;
}

/** The width that pinned columns cover at both sides, in pixels. */
export function pinnedWidths<Row>(shown: readonly Placed<Row>[], frame: Frame) {
  const sum = (side: Side) =>
    shown.reduce((all, one) => all + (one.side === side ? one.width : 0), 0);
  const left = sum("left");
  return {
    // The checkboxes are pinned with other pinned columns, the row's menu always.
    left: left > 0 && frame.leading ? left + LEADING : left,
    right: sum("right") + (frame.trailing ? TRAILING : 0),
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

export function drawnColumns<Row>(shown: readonly Placed<Row>[]): Drawn<Row>[] {
  return shown.map(({ column, side }, index) => ({
    column,
    side,
    className: [
      "flex min-w-0 items-center px-2.5 -outline-offset-2",
      column.align === "end" ? "justify-end text-right tabular-nums" : "",
      side ? STICKY : "relative",
      side === "left" && shown[index + 1]?.side !== "left" ? "border-r border-line" : "",
      side === "right" && shown[index - 1]?.side !== "right" ? "border-l border-line" : "",
    ]
      .filter(Boolean)
      .join(" "),
    style: side ? { [side]: `var(--pin-${index})` } : undefined,
  }));
}
