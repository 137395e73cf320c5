import { clsx } from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { KeyboardEvent, RefObject } from "react";
import { SelectBox } from "@/shared/ui/Checkbox";
import { type Drawn, type Frame, STICKY } from "./gridStyle";
import type { Position } from "./keyboard";
import { nextSorts } from "./sorting";
import type { TableState } from "./tableState";
import { stepColumn, useColumnDrag } from "./useColumnDrag";
import { type ColumnResize, useColumnResize } from "./useColumnResize";
import type { ColumnLayout } from "./useColumns";
import type { RowChoice } from "./useSelection";

/**
 * The names of the columns: a click sorts, Shift adds to the order, the edge changes the width,
 * dragging changes the place. By keys: Enter, Alt with arrows, Alt and Shift with arrows.
 */
export function HeaderRow<Row extends object>(props: {
  state: TableState;
  layout: ColumnLayout<Row>;
  columns: readonly Drawn<Row>[];
  frame: Frame;
  root: RefObject<HTMLElement | null>;
  choice: RowChoice | null;
  focus: Position;
  say: (text: string) => void;
}) {
  const { state, layout, columns, frame, root, choice, focus, say } = props;
  const resize = useColumnResize(layout, frame, root);
  const { drop, headProps } = useColumnDrag(layout, say);
  const leading = frame.leading ? 1 : 0;
  const tab = (column: number) => (focus.row === -1 && focus.column === column ? 0 : -1);

  return (
    <div
      role="row"
      aria-rowindex={1}
      className="relative grid h-9 grid-cols-(--columns) border-line border-b bg-sunken font-medium text-muted text-xs"
    >
      {choice && (
        <div
          role="columnheader"
          aria-colindex={1}
          data-cell="-1:0"
          className={clsx("grid place-items-center", columns[0]?.side === "left" && STICKY)}
          style={{ left: 0 }}
        >
          <SelectBox
            label={state.pageSize === "all" ? "Select all rows" : "Select all rows of this page"}
            data-cell-control=""
            tabIndex={tab(0)}
            checked={choice.page === "all"}
            indeterminate={choice.page === "some"}
            onChange={choice.togglePage}
          />
        </div>
      )}
      {columns.map((drawn, index) => (
        <Head
          key={drawn.column.id}
          {...{ state, layout, drawn, resize, say }}
          at={index + leading}
          tabIndex={tab(index + leading)}
          drag={headProps(drawn.column.id)}
        />
      ))}
      {frame.trailing && (
        <div
          role="columnheader"
          aria-colindex={columns.length + leading + 1}
          className={clsx(columns.at(-1)?.side === "right" && STICKY)}
          style={{ right: 0 }}
        >
          <span className="sr-only">Actions</span>
        </div>
      )}
      {drop && (
        <div
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 z-[2] w-0.5 bg-accent"
          style={{ left: drop.edge - 1 }}
        />
      )}
    </div>
  );
}

function Head<Row extends object>(props: {
  state: TableState;
  layout: ColumnLayout<Row>;
  drawn: Drawn<Row>;
  at: number;
  tabIndex: number;
  resize: ColumnResize;
  drag: ReturnType<ReturnType<typeof useColumnDrag>["headProps"]>;
  say: (text: string) => void;
}) {
  const { state, layout, drawn, at, resize, drag, say } = props;
  const { column } = drawn;
  const { sortBy } = column;
  const rank = state.sorts.findIndex(({ field }) => field === sortBy);
  const sorted = sortBy ? (state.sorts[rank]?.direction ?? null) : null;

  const sort = (add: boolean) => {
    if (!sortBy) return;
    const next = nextSorts(state.sorts, sortBy, add);
    state.setSorts(next);
    const now = next.find(({ field }) => field === sortBy);
    const way = now?.direction === "asc" ? "ascending" : "descending";
    say(now ? `Sorted by ${column.header}, ${way}` : `No longer sorted by ${column.header}`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key === "Enter" || event.key === " ") && sortBy) {
      event.preventDefault();
      sort(event.shiftKey);
    }
    if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      event.preventDefault();
      event.stopPropagation();
      const by = event.key === "ArrowRight" ? 1 : -1;
      if (event.shiftKey) stepColumn(layout, column.id, by, say);
      else resize.widen(column.id, by * 10);
    }
  };

  return (
    <div
      role="columnheader"
      aria-colindex={at + 1}
      aria-sort={sorted ? (sorted === "asc" ? "ascending" : "descending") : undefined}
      data-cell={`-1:${at}`}
      data-column={column.id}
      tabIndex={props.tabIndex}
      onClick={(event) => sort(event.shiftKey)}
      onKeyDown={onKeyDown}
      {...drag}
      style={drawn.style}
      className={clsx(
        drawn.className,
        "group select-none gap-1",
        sortBy && "cursor-pointer hover:text-ink",
        sorted && "text-ink",
      )}
    >
      <span className="truncate">{column.header}</span>
      {sorted === "asc" && <ArrowUp aria-hidden="true" className="size-3.5 shrink-0" />}
      {sorted === "desc" && <ArrowDown aria-hidden="true" className="size-3.5 shrink-0" />}
      {sorted && state.sorts.length > 1 && (
        <span className="text-[10px] tabular-nums">{rank + 1}</span>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Alt and arrows do it for keyboards */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <span
        aria-hidden="true"
        onClick={(event) => event.stopPropagation()}
        {...resize.handle(column.id)}
        className="absolute inset-y-1.5 right-0 w-2 cursor-col-resize touch-none border-line border-r group-hover:border-edge"
      />
    </div>
  );
}
