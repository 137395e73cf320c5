import { clsx } from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { KeyboardEvent } from "react";
import { SelectBox } from "@/shared/ui/Checkbox";
import type { Column } from "./column";
import type { Position } from "./keyboard";
import type { ColumnWidths } from "./useColumnWidths";
import type { GridTable } from "./useGrid";

/** The names of the columns: a click sorts, Shift adds to the order, the edge changes the width. */
export function HeaderRow<Row extends object>(props: {
  grid: GridTable<Row>;
  columns: readonly Column<Row>[];
  selectable: boolean;
  hasActions: boolean;
  focus: Position;
  widths: ColumnWidths;
  onFocus: (position: Position) => void;
}) {
  const { grid, columns, selectable, hasActions, focus, widths, onFocus } = props;
  const leading = selectable ? 1 : 0;
  const tab = (column: number) => (focus.row === -1 && focus.column === column ? 0 : -1);

  return (
    <div role="rowgroup" className="z-sticky sticky top-0">
      <div
        role="row"
        aria-rowindex={1}
        style={{ gridTemplateColumns: widths.template }}
        className="grid h-9 border-line border-b bg-sunken font-medium text-muted text-xs"
      >
        {selectable && (
          <div
            role="columnheader"
            aria-colindex={1}
            data-cell="-1:0"
            className="grid place-items-center"
          >
            <SelectBox
              label="Select all rows of this page"
              data-cell-control=""
              tabIndex={tab(0)}
              checked={grid.getIsAllRowsSelected()}
              indeterminate={!grid.getIsAllRowsSelected() && grid.getIsSomeRowsSelected()}
              onChange={grid.getToggleAllRowsSelectedHandler()}
              onFocus={() => onFocus({ row: -1, column: 0 })}
            />
          </div>
        )}
        {columns.map((column, index) => {
          const at = index + leading;
          return (
            <HeaderCell
              key={column.id}
              {...{ grid, column, widths }}
              at={at}
              tabIndex={tab(at)}
              onFocus={() => onFocus({ row: -1, column: at })}
            />
          );
        })}
        {hasActions && (
          <div role="columnheader" aria-colindex={columns.length + leading + 1}>
            <span className="sr-only">Actions</span>
          </div>
        )}
      </div>
    </div>
  );
}

function HeaderCell<Row extends object>(props: {
  grid: GridTable<Row>;
  column: Column<Row>;
  at: number;
  widths: ColumnWidths;
  tabIndex: number;
  onFocus: () => void;
}) {
  const { grid, column, at, widths, tabIndex, onFocus } = props;
  const model = grid.getColumn(column.id);
  const sorted = model?.getIsSorted() || null;
  const sort = model?.getToggleSortingHandler();
  const rank = (model?.getSortIndex() ?? -1) + 1;
  const several = grid.state.sorting.length > 1;

  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key === "Enter" || event.key === " ") && sort) {
      event.preventDefault();
      sort(event);
    }
    if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      event.preventDefault();
      event.stopPropagation();
      widths.widen(column.id, event.key === "ArrowRight" ? 10 : -10);
    }
  };

  return (
    <div
      role="columnheader"
      aria-colindex={at + 1}
      aria-sort={sorted ? (sorted === "asc" ? "ascending" : "descending") : undefined}
      data-cell={`-1:${at}`}
      data-column={column.id}
      tabIndex={tabIndex}
      onClick={sort}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      className={clsx(
        "group relative flex min-w-0 select-none items-center gap-1 px-2.5 -outline-offset-2",
        column.align === "end" && "justify-end",
        sort && "cursor-pointer hover:text-ink",
        sorted && "text-ink",
      )}
    >
      <span className="truncate">{column.header}</span>
      {sorted === "asc" && <ArrowUp aria-hidden="true" className="size-3.5 shrink-0" />}
      {sorted === "desc" && <ArrowDown aria-hidden="true" className="size-3.5 shrink-0" />}
      {sorted && several && <span className="text-[10px] tabular-nums">{rank}</span>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Alt and arrows do it for keyboards */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <span
        aria-hidden="true"
        onClick={(event) => event.stopPropagation()}
        {...widths.handle(column.id)}
        className="absolute inset-y-1.5 right-0 w-2 cursor-col-resize touch-none border-line border-r group-hover:border-edge"
      />
    </div>
  );
}
