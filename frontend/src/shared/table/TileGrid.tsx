import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { nextPosition } from "./keyboard";
import { useGridFocus } from "./useGridFocus";
import { useRowMenu } from "./useRowMenu";
import { opensHere, type ViewProps } from "./view";

const LEAST_WIDTH = 156;
const GAP = 12;
const PADDING = 12;
/** Its two lines of text and its own padding. */
const BELOW_PICTURE = 56;
const WAITING_TILES = 24;

/** How wide tiles are, and how many stand in a row, in a list of this width. */
export function tilesIn(width: number): { columns: number; height: number } {
  const inner = width - 2 * PADDING;
  const columns = Math.max(2, Math.floor((inner + GAP) / (LEAST_WIDTH + GAP)));
  const tile = (inner - (columns - 1) * GAP) / columns;
  return { columns, height: Math.round(tile * 0.75) + BELOW_PICTURE };
}

/** The rows of a table as pictures: the same list, selection, keys and menu as the grid has. */
export function TileGrid<Row extends object>(
  props: ViewProps<Row> & { tile: (row: Row) => ReactNode },
) {
  const { label, state, rows, rowAt, edits, choice, rowActions, onOpen, tile } = props;
  const viewport = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const { columns, height } = tilesIn(useWidth(viewport));
  const loading = rows.state === "loading";
  const count = loading ? WAITING_TILES : rows.count;
  const lines = Math.ceil(count / columns);
  const size = height + GAP;

  const virtual = useVirtualizer({
    count: lines,
    getScrollElement: () => viewport.current,
    estimateSize: () => size,
    overscan: 1,
    paddingStart: PADDING,
  });
  const items = virtual.getVirtualItems();
  const first = (items[0]?.index ?? 0) * columns;
  const last = Math.min(count, ((items.at(-1)?.index ?? 0) + 1) * columns) - 1;
  const { onView } = rows;
  useEffect(() => onView(first, Math.max(first, last)), [onView, first, last]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is measured again
  useLayoutEffect(() => virtual.measure(), [virtual, size]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list starts at its top
  useLayoutEffect(() => {
    if (viewport.current) viewport.current.scrollTop = 0;
  }, [JSON.stringify(state.params)]);

  const { focus, goTo, onFocus, onBlur } = useGridFocus(root, (line) =>
    virtual.scrollToIndex(line),
  );
  const menu = useRowMenu(rowActions);
  const indexOf = ({ row, column }: { row: number; column: number }) => row * columns + column;
  /** The position of the tile that is focused; the list may have become shorter. */
  const focused = Math.min(indexOf(focus), count - 1);
  const placeOf = (element: Element) => {
    const cell = element.closest<HTMLElement>("[data-cell]")?.dataset.cell;
    if (!cell) return null;
    const [row = 0, column = 0] = cell.split(":").map(Number);
    const index = indexOf({ row, column });
    const at = rowAt(index);
    return at && { index, row: at };
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as Element;
    if (target.closest("[role=menu]")) return;
    const rowsInView = Math.max(1, Math.floor((virtual.scrollRect?.height ?? 0) / size));
    const to = nextPosition(focus, event, { rows: lines, columns, rowsInView });
    if (to) {
      event.preventDefault();
      if (to.row >= 0 && indexOf(to) < count) goTo(to);
      return;
    }
    const row = rowAt(focused);
    if (!row || target.closest("button, a")) return;
    if (event.key === "Enter" && onOpen) {
      event.preventDefault();
      onOpen(row.original);
    } else if (event.key === " " && choice) {
      event.preventDefault();
      choice.toggle(row, focused, event.shiftKey);
    }
  };
  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const place = placeOf(target);
    if (!place) return;
    if (target.closest("[data-row-box]")) {
      return choice?.toggle(place.row, place.index, event.shiftKey);
    }
    const button = target.closest<HTMLElement>("[data-row-menu]");
    if (button) return menu.toggle(place.row.original, button);
    if (opensHere(event)) onOpen?.(place.row.original);
  };
  const onContextMenu = (event: MouseEvent) => {
    const target = event.target as Element;
    const place = placeOf(target);
    const button = target.closest("[data-cell]")?.querySelector<HTMLElement>("[data-row-menu]");
    if (!place || !button || target.closest("input, a")) return;
    event.preventDefault();
    menu.toggle(place.row.original, button);
  };

  const drawTile = (index: number) => {
    const [line, column] = [Math.floor(index / columns), index % columns];
    const row = rowAt(index);
    const selected = row?.getIsSelected() === true;
    return (
      <div
        key={row?.id ?? `waiting-${index}`}
        role="gridcell"
        aria-colindex={column + 1}
        aria-selected={choice ? selected : undefined}
        data-cell={`${line}:${column}`}
        tabIndex={index === focused ? 0 : -1}
        style={{ height }}
        className={clsx(
          "group relative min-w-0 rounded-card border bg-surface p-2 text-sm",
          selected ? "border-accent outline-1 outline-accent" : "border-line hover:border-edge",
        )}
      >
        {row ? (
          <>
            {tile(edits.shown(row.id, row.original))}
            {choice && (
              <input
                type="checkbox"
                aria-label="Select row"
                data-row-box=""
                tabIndex={-1}
                checked={selected}
                onChange={told}
                className={clsx(
                  "absolute top-3.5 left-3.5 size-4 cursor-pointer accent-(--accent) group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100",
                  !selected && "opacity-0",
                )}
              />
            )}
            {rowActions && (
              <button
                type="button"
                aria-label="Row actions"
                aria-haspopup="menu"
                title="Row actions"
                data-row-menu=""
                tabIndex={-1}
                className="absolute top-2.5 right-2.5 size-7 rounded-control bg-raised/90 text-ink opacity-0 hover:bg-sunken group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:size-9 pointer-coarse:opacity-100"
              >
                <span aria-hidden="true">⋯</span>
              </button>
            )}
          </>
        ) : (
          <span className="block aspect-4/3 rounded-control bg-sunken" />
        )}
      </div>
    );
  };

  return (
    <div
      ref={viewport}
      className="max-h-[calc(100dvh-18rem)] in-data-selecting:max-h-[calc(100dvh-21rem)] min-h-64 overflow-y-auto overscroll-contain"
    >
      <div
        ref={root}
        role="grid"
        tabIndex={-1}
        aria-label={label}
        aria-rowcount={loading ? -1 : Math.ceil(rows.total / columns)}
        aria-colcount={columns}
        aria-busy={loading || rows.stale}
        aria-multiselectable={choice ? true : undefined}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={onBlur}
        onClick={onClick}
        onDoubleClick={(event) => {
          const place = placeOf(event.target as Element);
          if (!place || (event.target as Element).closest("a, button, input")) return;
          onOpen?.(place.row.original);
        }}
        onContextMenu={onContextMenu}
        onPointerEnter={menu.preload}
        className="relative outline-none"
        style={{ height: virtual.getTotalSize() }}
      >
        {items.map(({ index: line, start }) => (
          <div
            key={line}
            role="row"
            aria-rowindex={Math.floor(rows.offset / columns) + line + 1}
            style={{
              transform: `translateY(${start}px)`,
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
              gap: GAP,
              paddingInline: PADDING,
            }}
            className="absolute top-0 left-0 grid w-full"
          >
            {Array.from({ length: Math.min(columns, count - line * columns) }, (_, column) =>
              drawTile(line * columns + column),
            )}
          </div>
        ))}
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

/** The grid handles clicks for all tiles. */
const told = () => undefined;

function useWidth(element: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(LEAST_WIDTH * 4);
  useLayoutEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const measure = () => setWidth(watched.clientWidth || LEAST_WIDTH * 4);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
