import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { elementOf } from "@/shared/lib/records";
import { GridFrame } from "./GridFrame";
import { nextPosition, type Position } from "./keyboard";
import { useGridFocus } from "./useGridFocus";
import type { GridRow } from "./useGridTable";
import { useLines } from "./useLines";
import { useRowPointer } from "./useRowPointer";
import type { RowsViewProps } from "./view";

const LEAST_WIDTH = 156;
const GAP = 12;
const PADDING = 12;
/** Three lines of text and its own padding; a name of more lines makes the tile taller. */
const BELOW_PICTURE = 76;
const WAITING_TILES = 24;

/** How many tiles stand in a row, and how high they are at least, in a list of this width. */
export function tilesIn(width: number): { columns: number; height: number } {
  const inner = width - 2 * PADDING;
  const columns = Math.max(2, Math.floor((inner + GAP) / (LEAST_WIDTH + GAP)));
  const tile = (inner - (columns - 1) * GAP) / columns;
  return { columns, height: Math.round(tile * 0.75) + BELOW_PICTURE };
}

/** The rows of a table as pictures: the same list, selection, keys and menu as the grid has. */
export function TileGrid<Row extends object>(
  props: RowsViewProps<Row> & { tile: (row: Row) => ReactNode },
) {
  const { rows, rowAt, choice, onOpen } = props;
  const viewport = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const { columns, height } = tilesIn(useWidth(viewport));
  const count = rows.state === "loading" ? WAITING_TILES : rows.count;
  const { virtual, items } = useLines(props, viewport, {
    ...{ count, perLine: columns, height: height + GAP },
    ...{ overscan: 1, paddingStart: PADDING },
    measureElement: (element) =>
      (element instanceof HTMLElement && element.offsetHeight) || height + GAP,
  });
  const { focus, goTo, onFocus, onBlur } = useGridFocus(root, (line) =>
    virtual.scrollToIndex(line),
  );
  const indexOf = ({ row, column }: Position) => row * columns + column;
  const pointer = useRowPointer(props, { indexOf, rowElement: "[data-cell]" });
  /** The position of the tile that is focused; the list may have become shorter. */
  const focused = Math.min(indexOf(focus), count - 1);

  const onKeyDown = (event: KeyboardEvent) => {
    const target = elementOf(event.target);
    if (target?.closest("[role=menu]")) return;
    const inView = (virtual.scrollRect?.height ?? 0) / (height + GAP);
    const rowsInView = Math.max(1, Math.floor(inView));
    const to = nextPosition(focus, event, { rows: virtual.options.count, columns, rowsInView });
    if (to) {
      event.preventDefault();
      if (to.row >= 0 && indexOf(to) < count) goTo(to);
      return;
    }
    const row = rowAt(focused);
    if (!row || target?.closest("button, a")) return;
    if (event.key === "Enter" && onOpen) {
      event.preventDefault();
      onOpen(row.original);
    } else if (event.key === " " && choice) {
      event.preventDefault();
      choice.toggle(row, focused, event.shiftKey);
    }
  };

  return (
    <GridFrame
      {...{ view: props, viewport, root, menu: pointer.menu }}
      rowCount={Math.ceil(rows.total / columns)}
      columnCount={columns}
      port={{ className: "overflow-y-auto" }}
      grid={{
        ...{ onKeyDown, onFocus, onBlur, className: "relative outline-none" },
        ...pointer.handlers,
        style: { height: virtual.getTotalSize() },
      }}
    >
      {items.map(({ index: line, start }) => (
        <div
          key={line}
          ref={virtual.measureElement}
          data-index={line}
          role="row"
          aria-rowindex={Math.floor(rows.offset / columns) + line + 1}
          style={{
            transform: `translateY(${start}px)`,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            columnGap: GAP,
            padding: `0 ${PADDING}px ${GAP}px`,
          }}
          className="absolute top-0 left-0 grid w-full"
        >
          {Array.from({ length: Math.min(columns, count - line * columns) }, (_, column) => {
            const index = indexOf({ row: line, column });
            return (
              <Tile
                key={rowAt(index)?.id ?? `waiting-${index}`}
                {...{ view: props, place: { row: line, column }, height, row: rowAt(index) }}
                tabIndex={index === focused ? 0 : -1}
              />
            );
          })}
        </div>
      ))}
    </GridFrame>
  );
}

function Tile<Row extends object>(props: {
  view: RowsViewProps<Row> & { tile: (row: Row) => ReactNode };
  place: Position;
  height: number;
  tabIndex: number;
  row: GridRow<Row> | undefined;
}) {
  const { place, height, row } = props;
  const { tile, edits, choice, rowActions } = props.view;
  const selected = row?.getIsSelected() === true;
  return (
    <div
      role="gridcell"
      aria-colindex={place.column + 1}
      aria-selected={choice ? selected : undefined}
      data-cell={`${place.row}:${place.column}`}
      tabIndex={props.tabIndex}
      style={{ minHeight: height }}
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
