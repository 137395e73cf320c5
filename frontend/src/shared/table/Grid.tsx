import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useStable } from "@/shared/lib/useStable";
import { lazyPart } from "@/shared/ui/lazyPart";
import { BodyRow, WaitingRow } from "./BodyRow";
import type { Column } from "./column";
import { drawnColumns, gridStyle, pinnedWidths } from "./gridStyle";
import { HeaderRow } from "./HeaderRow";
import { afterEditing, type Move, nextPosition, type Position } from "./keyboard";
import { rangeIn, useGridActs, useRange } from "./useGridActs";
import { useGridFocus } from "./useGridFocus";
import { useRowMenu } from "./useRowMenu";
import { useRowPace } from "./useRowPace";
import {
  COMPACT_HEIGHT,
  type Editing,
  OVERSCAN,
  opensHere,
  ROW_HEIGHT,
  type ViewProps,
} from "./view";

const FilterRow = lazyPart(() => import("./FilterRow").then((m) => m.FilterRow));

const HEAD_HEIGHT = 36;
const FILTER_HEIGHT = 44;
const WAITING_ROWS = 8;
/** Elements in the grid that handle keys themselves. */
const OWN_KEYS = "[role=menu], [data-cell-editor], [data-own-keys]";

/** The table as a grid: virtual rows, one tab stop, arrows between the cells. */
export function Grid<Row extends object>(props: ViewProps<Row>) {
  const { label, state, rows, rowAt, layout, idOf, edits, canEdit, choice } = props;
  const { rowActions, rowKeys, onOpen } = props;
  const viewport = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const [editing, setEditing] = useState<Editing | null>(null);
  const { shown } = layout;
  const hasActions = rowActions !== undefined;
  const leading = choice ? 1 : 0;
  const frame = useMemo(
    () => ({ leading: leading > 0, trailing: hasActions }),
    [leading, hasActions],
  );
  const columns = useMemo(() => drawnColumns(shown), [shown]);
  const style = useMemo(() => gridStyle(shown, frame), [shown, frame]);
  const columnCount = columns.length + leading + (hasActions ? 1 : 0);
  const headRows = layout.filterRow ? 2 : 1;
  const headHeight = HEAD_HEIGHT + (layout.filterRow ? FILTER_HEIGHT : 0);
  const loading = rows.state === "loading";
  const count = loading ? WAITING_ROWS : rows.count;

  const height = layout.compact ? COMPACT_HEIGHT : ROW_HEIGHT;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => viewport.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    // The head covers a row or two: that many of the last rows are hidden, and at the end of the
    // list, where it scrolls, that many of the first.
    rangeExtractor: ({ startIndex, endIndex, ...range }) =>
      defaultRangeExtractor({
        ...range,
        startIndex: endIndex === range.count - 1 ? startIndex + headRows : startIndex,
        endIndex: endIndex - headRows,
      }),
    scrollPaddingEnd: headHeight,
  });
  const items = virtual.getVirtualItems();
  const firstShown = items[0]?.index ?? 0;
  const lastShown = items.at(-1)?.index ?? 0;
  const { onView } = rows;
  useEffect(() => onView(firstShown, lastShown), [onView, firstShown, lastShown]);
  // Rows that are drawn keep their place by the height that they had.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is measured again
  useLayoutEffect(() => virtual.measure(), [virtual, height]);
  useScrollUp(viewport, JSON.stringify(state.params));

  const { focus, setFocus, goTo, onFocus, onBlur } = useGridFocus(root, (row) =>
    virtual.scrollToIndex(row),
  );
  const menu = useRowMenu(rowActions);
  const [range, setRange] = useRange(JSON.stringify(state.params));
  const bodyHeight = (virtual.scrollRect?.height ?? 0) - headHeight;
  const rowsInView = Math.max(1, Math.floor(bodyHeight / height));
  const acts = useGridActs(edits, () => ({
    ...rows,
    ...{ idOf, leading, columnCount, rowsInView, focus, range, setRange, goTo },
    columns: columns.map(({ column }) => column),
    root: root.current,
  }));
  const columnAt = (index: number): Column<Row> | undefined => columns[index - leading]?.column;
  const drawn = useRowPace({
    list: JSON.stringify(state.params),
    stale: rows.stale,
    rows: items.map(({ index }) => rowAt(index)?.id ?? null),
    focused: rowAt(focus.row)?.id ?? null,
  });

  const startEditing = useStable((position: Position, typed?: string) => {
    const row = rowAt(position.row);
    const column = columnAt(position.column);
    if (!canEdit || !edits.editor || !column?.edit || !row || rows.stale) return false;
    const mark = edits.marksOf(row.id)?.[column.id];
    const refused = mark?.state === "error" ? mark.text : undefined;
    const value = column.edit.value(edits.shown(row.id, row.original));
    setFocus(position);
    setEditing({ position, text: typed ?? refused ?? value, typed: typed !== undefined, value });
    return true;
  });
  const finishEditing = useStable((text: string | null, move: Move) => {
    if (!editing) return;
    const { position } = editing;
    const row = rowAt(position.row);
    const column = columnAt(position.column);
    setEditing(null);
    if (text !== null && row && column) {
      if (move === "range" && range) void acts?.fill(text);
      else edits.editor?.commit(row.id, row.original, column, text);
    }
    if (move !== "range" && move !== "stay") setRange(null);
    const then = afterEditing(position, move, { rows: count, columns: columnCount });
    if (then) goTo(then);
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as Element;
    if (editing || target.closest(OWN_KEYS) || acts?.keyDown(event)) return;
    const to = nextPosition(focus, event, { rows: count, columns: columnCount, rowsInView });
    if (to) {
      event.preventDefault();
      goTo(to);
      return;
    }
    const row = rowAt(focus.row);
    if (row && !event.ctrlKey && !event.metaKey && !event.altKey && rowKeys?.[event.key]) {
      event.preventDefault();
      rowKeys[event.key]?.(row.original);
      return;
    }
    const onControl = target.closest("a, button, input");
    if (!row || (onControl && !(event.key === " " && target.hasAttribute("data-row-box")))) return;
    if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      if (!startEditing(focus) && event.key === "Enter") onOpen?.(row.original);
    } else if (event.key === " " && choice) {
      event.preventDefault();
      choice.toggle(row, focus.row, event.shiftKey);
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (startEditing(focus, event.key)) event.preventDefault();
    }
  };
  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const place = placeOf(target);
    const row = place && rowAt(place.row);
    if (!row) return;
    if (target.closest("[data-row-box]")) choice?.toggle(row, place.row, event.shiftKey);
    if (opensHere(event)) onOpen?.(row.original);
    const button = target.closest<HTMLElement>("[data-row-menu]");
    if (button) menu.toggle(row.original, button);
  };
  const onDoubleClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const place = placeOf(target);
    const row = place && rowAt(place.row);
    if (!row || target.closest("a, button, input, select")) return;
    if (!startEditing(place)) onOpen?.(row.original);
  };
  const onContextMenu = (event: MouseEvent) => {
    const target = event.target as Element;
    const place = placeOf(target);
    const row = place && rowAt(place.row);
    const button = target.closest("[role=row]")?.querySelector<HTMLElement>("[data-row-menu]");
    if (!row || !button || target.closest("input, a")) return;
    event.preventDefault();
    menu.toggle(row.original, button);
  };

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
        onEdited={finishEditing}
        {...{ id, index, start, height, ariaRow, columns, leading, hasActions, focusColumn }}
      />
    );
  };

  /** Commits the edited cell before its row is scrolled away. */
  const onScroll = () => {
    if (!editing || !viewport.current) return;
    const { scrollTop } = viewport.current;
    const { row } = editing.position;
    const above = (row + OVERSCAN) * height < scrollTop;
    const below = (row - OVERSCAN) * height > scrollTop + bodyHeight;
    if (above || below) (document.activeElement as HTMLElement | null)?.blur();
  };

  const pinned = pinnedWidths(shown, frame);
  return (
    <div
      ref={viewport}
      data-grid-port=""
      className="relative max-h-[calc(100dvh-18rem)] in-data-selecting:max-h-[calc(100dvh-21rem)] min-h-64 overflow-auto overscroll-contain"
      onScrollCapture={onScroll}
      // Scrolls the focused cell out from under the head and the pinned columns.
      style={{
        scrollPaddingTop: headHeight,
        scrollPaddingLeft: pinned.left,
        scrollPaddingRight: pinned.right,
      }}
    >
      <div
        ref={root}
        role="grid"
        data-compact={layout.compact ? "" : undefined}
        tabIndex={-1}
        aria-label={label}
        aria-rowcount={loading ? -1 : rows.total + headRows}
        aria-colcount={columnCount}
        aria-busy={loading || rows.stale}
        aria-multiselectable={choice ? true : undefined}
        onKeyDown={onKeyDown}
        onMouseDown={(event) => acts?.mouseDown(event)}
        onCopy={(event) => !editing && void acts?.copy(event)}
        onCut={(event) => !editing && void acts?.cut(event)}
        onPaste={(event) => !editing && void acts?.paste(event)}
        onFocus={onFocus}
        onBlur={onBlur}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        onContextMenu={onContextMenu}
        onPointerEnter={menu.preload}
        className="min-w-(--width) outline-none"
        style={style}
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
      </div>
      {menu.opened}
      {loading && (
        <p role="status" className="sr-only">
          Loading...
        </p>
      )}
    </div>
  );
}

/** The position of the body cell that contains an element. */
function placeOf(element: Element): Position | null {
  const [row, column] = (element.closest<HTMLElement>("[data-cell]")?.dataset.cell ?? "")
    .split(":")
    .map(Number);
  return row === undefined || column === undefined || row < 0 ? null : { row, column };
}

/** Another page, order or filter shows another list: scroll to its top. */
function useScrollUp(viewport: React.RefObject<HTMLElement | null>, list: string) {
  const last = useRef(list);
  useLayoutEffect(() => {
    if (last.current === list) return;
    last.current = list;
    if (viewport.current) viewport.current.scrollTop = 0;
  }, [viewport, list]);
}
