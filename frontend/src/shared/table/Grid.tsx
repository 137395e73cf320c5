import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { useStable } from "@/shared/lib/useStable";
import { BodyRow } from "./BodyRow";
import { cellKey } from "./cellEdits";
import type { Column } from "./column";
import { HeaderRow } from "./HeaderRow";
import { nextPosition, type Position } from "./keyboard";
import { useColumnWidths } from "./useColumnWidths";
import { type Editing, OVERSCAN, ROW_HEIGHT, type ViewProps, visibleColumns } from "./view";

/** The table as a grid: virtual rows, one tab stop, arrows between the cells. */
export function Grid<Row extends object>(props: ViewProps<Row>) {
  const { label, rows, grid, idOf, edits, canEdit, selectable, rowActions, onOpen } = props;
  const viewport = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState<Position>({ row: 0, column: 0 });
  const [editing, setEditing] = useState<Editing | null>(null);
  const { columnOrder, columnVisibility, rowSelection } = grid.state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the grid is read by its state
  const columns = useMemo(
    () => visibleColumns({ grid, columns: props.columns }),
    [props.columns, columnOrder, columnVisibility],
  );
  const leading = selectable ? 1 : 0;
  const columnCount = columns.length + leading + (rowActions ? 1 : 0);
  const loading = rows.state === "loading";
  const count = loading ? 8 : rows.count;

  const virtual = useVirtualizer({
    count,
    getScrollElement: () => viewport.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const items = virtual.getVirtualItems();
  const firstShown = items[0]?.index ?? 0;
  const lastShown = items.at(-1)?.index ?? 0;
  const { onView } = rows;
  useEffect(() => onView(firstShown, lastShown), [onView, firstShown, lastShown]);

  const widths = useColumnWidths(grid, { leading: selectable, trailing: rowActions !== undefined });
  const columnAt = (index: number): Column<Row> | undefined => columns[index - leading];
  const focusCell = ({ row, column }: Position) => {
    const cell = viewport.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`);
    (cell?.querySelector<HTMLElement>("[data-cell-control]") ?? cell)?.focus();
  };
  const goTo = (to: Position) => {
    setFocus(to);
    if (to.row >= 0) virtual.scrollToIndex(to.row);
    // After the row has been rendered, which it may not have been before.
    requestAnimationFrame(() => focusCell(to));
  };

  const startEditing = useStable((position: Position, typed?: string) => {
    const row = rows.rowAt(position.row);
    const column = columnAt(position.column);
    if (!canEdit || !column?.edit || !row || rows.stale) return false;
    const mark = edits.marks.get(cellKey(idOf(row), column.id));
    const refused = mark?.state === "error" ? mark.text : undefined;
    setFocus(position);
    setEditing({ position, text: typed ?? refused ?? column.edit.value(row) });
    return true;
  });
  const finishEditing = useStable((text: string | null, then: Position | null) => {
    if (!editing) return;
    const { row: index, column: at } = editing.position;
    const row = rows.rowAt(index);
    const column = columnAt(at);
    setEditing(null);
    if (text !== null && row && column) void edits.commit(idOf(row), row, column, text);
    if (then) goTo(then);
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (editing || (event.target as Element).closest("[role=menu], [data-cell-editor]")) return;
    const rowsInView = Math.max(1, lastShown - firstShown - OVERSCAN);
    const to = nextPosition(focus, event, { rows: count, columns: columnCount, rowsInView });
    if (to) {
      event.preventDefault();
      goTo(to);
      return;
    }
    const row = rows.rowAt(focus.row);
    const onControl = (event.target as Element).closest("a, button, input");
    if (!row || onControl) return;
    if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      if (!startEditing(focus) && event.key === "Enter") onOpen?.(row);
    } else if (event.key === " " && selectable) {
      event.preventDefault();
      grid.getRow(idOf(row)).toggleSelected();
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (startEditing(focus, event.key)) event.preventDefault();
    }
  };

  return (
    <div
      ref={viewport}
      className="relative max-h-[calc(100dvh-18rem)] min-h-64 overflow-auto overscroll-contain"
    >
      <div
        role="grid"
        tabIndex={-1}
        aria-label={label}
        aria-rowcount={loading ? -1 : count + 1}
        aria-colcount={columnCount}
        aria-busy={loading || rows.stale}
        aria-multiselectable={selectable || undefined}
        onKeyDown={onKeyDown}
        style={{ minWidth: widths.total }}
      >
        <HeaderRow
          {...{ grid, columns, selectable, focus, widths }}
          hasActions={rowActions !== undefined}
          onFocus={setFocus}
        />
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = rows.rowAt(index);
            const id = row ? idOf(row) : null;
            return (
              <BodyRow
                key={id ?? `waiting-${index}`}
                row={row && id !== null ? edits.shown(id, row) : undefined}
                id={id}
                model={id === null ? undefined : grid.getRowModel().rowsById[id]}
                selected={id !== null && rowSelection[id] === true}
                {...{ index, start, columns, leading, rowActions, onOpen }}
                marks={edits.marks}
                template={widths.template}
                focusColumn={focus.row === index ? focus.column : null}
                editing={editing?.position.row === index ? editing : null}
                lastRow={count - 1}
                onFocus={setFocus}
                onEdit={startEditing}
                onEdited={finishEditing}
              />
            );
          })}
        </div>
      </div>
      {loading && (
        <p role="status" className="sr-only">
          Loading...
        </p>
      )}
    </div>
  );
}
