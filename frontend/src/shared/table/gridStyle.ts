/** Where the columns of a grid lie, as CSS variables on its root: rows need not be drawn again. */
import type { Column, ColumnHead, Side } from "./column";
import type { Placed } from "./useColumns";

const LEADING = 40;
const TRAILING = 48;

export type Frame = { leading: boolean; trailing: boolean };

/** Where there is room left, texts get more of it than figures, which are read one below another. */
const FIGURES_GROW = 0.6;
const growth = <Row>({ column }: Placed<Row>): number =>
  column.align === "end" ? FIGURES_GROW : 1;

/** The variables; `widths` are those that differ from what is kept, while an edge is dragged. */
export function gridStyle<Row>(
  shown: readonly Placed<Row>[],
  frame: Frame,
  widths: Readonly<Record<string, number>> = {},
): Record<string, string> {
  const widthOf = (one: Placed<Row>) => widths[one.column.id] ?? one.width;
  const tracks = shown.map((one, index) => {
    const width = widthOf(one);
    // A pinned column that others are pinned beside is exactly as wide as it says, or they could
    // not be placed.
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

/** What is covered by pinned columns at both sides, in pixels. */
export function pinnedWidths<Row>(shown: readonly Placed<Row>[], frame: Frame) {
  const sum = (side: Side) =>
    shown.reduce((all, one) => all + (one.side === side ? one.width : 0), 0);
  const left = sum("left");
  return {
    // The boxes stay in sight with pinned columns beside them, the row's menu always.
    left: left > 0 && frame.leading ? left + LEADING : left,
    right: sum("right") + (frame.trailing ? TRAILING : 0),
  };
}

/** A column as the rows draw it: what does not change from row to row is made once. */
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
