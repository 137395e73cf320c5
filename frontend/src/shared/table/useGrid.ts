/** TanStack Table set up for our columns: order, visibility, widths, sorting, selection. */
import {
  type ColumnDef,
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo, useState } from "react";
import type { Column, RowId } from "./column";
import { readTableSettings, writeTableSettings } from "./tableSettings";
import type { Sort, TableState } from "./tableState";

export const features = tableFeatures({
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
});

const DEFAULT_WIDTH = 140;
export const MIN_WIDTH = 56;

type Updater<Value> = Value | ((old: Value) => Value);
const settle = <Value>(update: Updater<Value>, old: Value): Value =>
  typeof update === "function" ? (update as (old: Value) => Value)(old) : update;

/** The grid over the rows that are loaded. What a person sets up is kept in this browser. */
export function useGrid<Row extends object>(input: {
  state: TableState;
  columns: readonly Column<Row>[];
  rows: Row[];
  idOf: (row: Row) => RowId;
}) {
  const { state, columns, rows, idOf } = input;
  const [settings, setSettings] = useState(() => readTableSettings(state.id));
  const [rowSelection, setRowSelection] = useState<Record<string, true>>({});

  const keep = (changes: Partial<typeof settings>) => {
    setSettings((now) => ({ ...now, ...changes }));
    writeTableSettings(state.id, changes);
  };
  const definitions = useMemo(() => columns.map(define<Row>), [columns]);
  const hidden = useMemo(
    () => Object.fromEntries(columns.filter((c) => c.hidden).map((c) => [c.id, false])),
    [columns],
  );
  const sorting = useMemo(() => toSorting(state.sorts, columns), [state.sorts, columns]);
  const columnVisibility = { ...hidden, ...settings.visibility };

  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: idOf,
    manualSorting: true,
    enableSortingRemoval: true,
    isMultiSortEvent: (event) => (event as { shiftKey?: boolean }).shiftKey === true,
    state: {
      sorting,
      rowSelection,
      columnVisibility,
      columnOrder: settings.order,
      columnSizing: settings.sizing,
    },
    onSortingChange: (update) => state.setSorts(fromSorting(settle(update, sorting), columns)),
    onRowSelectionChange: setRowSelection,
    onColumnVisibilityChange: (update) => keep({ visibility: settle(update, columnVisibility) }),
    onColumnOrderChange: (update) => keep({ order: settle(update, settings.order) }),
    onColumnSizingChange: (update) => keep({ sizing: settle(update, settings.sizing) }),
  });
  return table;
}

export type GridTable<Row extends object> = ReturnType<typeof useGrid<Row>>;
export type GridRow<Row extends object> = ReturnType<GridTable<Row>["getRow"]>;

function define<Row extends object>(column: Column<Row>): ColumnDef<typeof features, Row> {
  return {
    id: column.id,
    header: column.header,
    // The value is drawn by our own cell; TanStack only wants to know that there is one.
    accessorFn: () => null,
    size: column.width ?? DEFAULT_WIDTH,
    minSize: MIN_WIDTH,
    enableSorting: column.sortBy !== undefined,
    sortDescFirst: false,
    enableHiding: column.hideable !== false,
  };
}

function toSorting<Row>(sorts: readonly Sort[], columns: readonly Column<Row>[]): SortingState {
  return sorts.flatMap(({ field, direction }) => {
    const column = columns.find((candidate) => candidate.sortBy === field);
    return column ? [{ id: column.id, desc: direction === "desc" }] : [];
  });
}

function fromSorting<Row>(sorting: SortingState, columns: readonly Column<Row>[]): Sort[] {
  return sorting.flatMap(({ id, desc }) => {
    const field = columns.find((candidate) => candidate.id === id)?.sortBy;
    return field ? [{ field, direction: desc ? ("desc" as const) : ("asc" as const) }] : [];
  });
}
