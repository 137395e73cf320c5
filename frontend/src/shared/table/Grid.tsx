import { defaultRangeExtractor, type Range, type VirtualItem } from "@tanstack/react-virtual";
import { type ClipboardEvent, type MouseEvent, type RefObject, useMemo, useRef } from "react";
import { useWaitingKeys } from "@/shared/scanner/presses";
import { lazyPart } from "@/shared/ui/lazyPart";
import { BodyRow, WaitingRow } from "./BodyRow";
import { GridFrame } from "./GridFrame";
import { gridKeys } from "./gridKeys";
import { drawnColumns, gridStyle, pinnedWidths } from "./gridStyle";
import { HeaderRow } from "./HeaderRow";
import type { Grid as GridSize } from "./keyboard";
import { useCellEditing } from "./useCellEditing";
import { rangeIn, useGridActs, useRange } from "./useGridActs";
import { useGridFocus } from "./useGridFocus";
import { useLines } from "./useLines";
import { useRowPace } from "./useRowPace";
import { useRowPointer } from "./useRowPointer";
import { COMPACT_HEIGHT, OVERSCAN, ROW_HEIGHT, type RowsViewProps } from "./view";

const FilterRow = lazyPart(() => import("./FilterRow").then((m) => m.FilterRow));

const HEAD_HEIGHT = 36;
const FILTER_HEIGHT = 44;
const WAITING_ROWS = 8;

/** The table as a grid: virtual rows, one tab stop, arrows between the cells. */
export function Grid<Row extends object>(props: RowsViewProps<Row>) {
  const { state, rows, rowAt, layout, edits, choice } = props;
  const viewport = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const shape = useShape(props);
  const { frame, columns, style, pinned, leading, columnCount } = shape;
  const { headRows, headHeight, height } = shape;
  const count = rows.state === "loading" ? WAITING_ROWS : rows.count;
  const { virtual, items } = useLines(props, viewport, {
    ...{ count, height, overscan: OVERSCAN, scrollPaddingEnd: headHeight },
    rangeExtractor: (range) => withoutHead(range, headRows),
  });
  const bodyHeight = (virtual.scrollRect?.height ?? 0) - headHeight;
  const rowsInView = Math.max(1, Math.floor(bodyHeight / height));
  const cells = useCells(props, shape, root, {
    size: { rows: count, columns: columnCount, rowsInView },
    reveal: (row) => virtual.scrollToIndex(row),
  });
  const { focus, range, editing } = cells;
  const pointer = useRowPointer(props, {
    indexOf: ({ row }) => row,
    rowElement: "[role=row]",
    edit: cells.edit,
  });
  const drawn = useRowPace({
    list: JSON.stringify(state.params),
    stale: rows.stale,
    rows: items.map(({ index }) => rowAt(index)?.id ?? null),
    focused: rowAt(focus.row)?.id ?? null,
  });

  const drawRow = ({ index, start }: VirtualItem) => {
    const row = rowAt(index);
    const focusColumn = focus.row === index ? focus.column : null;
    const ariaRow = rows.offset + index + headRows + 1;
    if (!row || !drawn.has(row.id)) {
      return (
        <WaitingRow
          key={`waiting-${index}`}
          {...{ index, start, height, ariaRow, columnCount, focusColumn }}
        />
      );
    }
    const { id } = row;
    const inRange = rangeIn(range, index);
    return (
      <BodyRow
        key={id}
        row={edits.shown(id, row.original)}
        selected={row.getIsSelected()}
        marks={edits.marksOf(id)}
        rangeFirst={inRange.first}
        rangeLast={inRange.last}
        editing={editing?.position.row === index ? editing : null}
        parts={edits.parts}
        onEdited={cells.finish}
        hasActions={frame.trailing}
        {...{ id, index, start, height, ariaRow, columns, leading, focusColumn }}
      />
    );
  };
  /** Commits the edited cell before its row is scrolled away. */
  const onScrollCapture = () => {
    if (!editing || !viewport.current) return;
    const { scrollTop } = viewport.current;
    const { row } = editing.position;
    const above = (row + OVERSCAN) * height < scrollTop;
    const below = (row - OVERSCAN) * height > scrollTop + bodyHeight;
    if ((above || below) && document.activeElement instanceof HTMLElement) {
      document.activeElement.blur();
    }
  };

  const port = {
    "data-grid-port": "",
    className: "relative overflow-auto",
    onScrollCapture,
    // Scrolls the focused cell out from under the head and the pinned columns.
    style: {
      scrollPaddingTop: headHeight,
      scrollPaddingLeft: pinned.left,
      scrollPaddingRight: pinned.right,
    },
  };
  return (
    <GridFrame
      {...{ view: props, viewport, root, columnCount, port, menu: pointer.menu }}
      rowCount={rows.total + headRows}
      grid={{
        ...{ style, className: "min-w-(--width) outline-none" },
        ...{ "data-compact": layout.compact ? "" : undefined },
        ...pointer.handlers,
        ...cells.handlers,
      }}
    >
      <div role="rowgroup" className="z-sticky sticky top-0">
        <HeaderRow
          {...{ state, layout, columns, frame, root }}
          chosen={choice?.page ?? null}
          onChoosePage={choice?.togglePage}
          focusColumn={focus.row === -1 ? focus.column : null}
          currency={props.currency}
          say={props.say}
        />
        {layout.filterRow && <FilterRow {...{ state, columns, frame }} />}
      </div>
      <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(drawRow)}
      </div>
    </GridFrame>
  );
}

/** The cells: the focused one, the range, the edited one, and what keys do with them. */
function useCells<Row extends object>(
  view: RowsViewProps<Row>,
  { columns, leading, columnCount }: ReturnType<typeof useShape<Row>>,
  root: RefObject<HTMLDivElement | null>,
  { size, reveal }: { size: GridSize; reveal: (row: number) => void },
) {
  const { state, rows, idOf, edits } = view;
  const { focus, setFocus, goTo, onFocus, onBlur } = useGridFocus(root, reveal);
  const [range, setRange] = useRange(JSON.stringify(state.params));
  const acts = useGridActs(edits, () => ({
    ...rows,
    ...{ idOf, leading, columnCount, rowsInView: size.rowsInView, focus, range, setRange, goTo },
    columns: columns.map(({ column }) => column),
    root: root.current,
  }));
  const { editing, start, finish } = useCellEditing(view, {
    ...{ size, setFocus, goTo, range, setRange, acts },
    columnAt: (index) => columns[index - leading]?.column,
  });
  const isEditing = editing !== null;
  const onKeyDown = gridKeys(view, { size, focus, goTo, acts, isEditing, edit: start });
  useWaitingKeys(onKeyDown, root);
  return {
    ...{ focus, range, editing, finish, edit: start },
    handlers: {
      ...{ onFocus, onBlur },
      onKeyDown,
      onMouseDown: (event: MouseEvent) => acts?.mouseDown(event),
      onCopy: (event: ClipboardEvent) => !isEditing && void acts?.copy(event),
      onCut: (event: ClipboardEvent) => !isEditing && void acts?.cut(event),
      onPaste: (event: ClipboardEvent) => !isEditing && void acts?.paste(event),
    },
  };
}

/** The columns as they are drawn, and what of the grid is as high as what. */
function useShape<Row extends object>({ layout, choice, rowActions }: RowsViewProps<Row>) {
  const { shown, filterRow } = layout;
  const [hasChoice, hasActions] = [choice !== null, rowActions !== undefined];
  const frame = useMemo(
    () => ({ leading: hasChoice, trailing: hasActions }),
    [hasChoice, hasActions],
  );
  const columns = useMemo(() => drawnColumns(shown), [shown]);
  const leading = hasChoice ? 1 : 0;
  return {
    frame,
    columns,
    style: useMemo(() => gridStyle(shown, frame), [shown, frame]),
    pinned: pinnedWidths(shown, frame),
    leading,
    columnCount: columns.length + leading + (hasActions ? 1 : 0),
    headRows: filterRow ? 2 : 1,
    headHeight: HEAD_HEIGHT + (filterRow ? FILTER_HEIGHT : 0),
    height: layout.compact ? COMPACT_HEIGHT : ROW_HEIGHT,
  };
}

/**
 * The head covers a row or two: that many of the last rows are hidden, and at the end of the list,
 * where it scrolls, that many of the first.
 */
function withoutHead({ startIndex, endIndex, ...range }: Range, headRows: number): number[] {
  return defaultRangeExtractor({
    ...range,
    startIndex: endIndex === range.count - 1 ? startIndex + headRows : startIndex,
    endIndex: endIndex - headRows,
  });
}
