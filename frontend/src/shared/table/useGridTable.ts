/**
 * The TanStack table behind the views: its rows are the loaded ones, its state is the person's
 * arrangement of the columns, the order in the address, and the selection.
 */
import {
  type ColumnPinningState,
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  functionalUpdate,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  type Table,
  type Column as TanStackColumn,
  type Row as TanStackRow,
  tableFeatures,
  type Updater,
  useTable,
} from "@tanstack/react-table";
import { useCallback, useMemo, useState } from "react";
import type { Column, ColumnHead, RowId } from "./column";
import { readTableSettings, type TableSettings, writeTableSettings } from "./tableSettings";
import type { Sort, TableState } from "./tableState";

const features = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
});

const DEFAULT_WIDTH = 140;
export const MIN_WIDTH = 56;
/** All state comes from outside: the table itself never causes a render. */
const nothing = () => null;

export type GridTable = Table<typeof features, never>;
export type GridRow<Row extends object> = TanStackRow<typeof features, Row>;
/** A column in its present state; what its page says of it is `columnDef.meta`. */
export type GridColumn<Row extends object> = TanStackColumn<typeof features, Row> & {
  columnDef: { meta: Column<Row> };
};
/** TanStack's columns: each has the `meta` with which it was defined. */
const ours = <Row extends object>(columns: readonly TanStackColumn<typeof features, Row>[]) =>
  columns as readonly GridColumn<Row>[];
/** The part of a column that does not depend on its rows. */
export type GridHead = Pick<
  GridColumn<never>,
  | "id"
  | "getSize"
  | "getIsFirstColumn"
  | "getIsLastColumn"
  | "getIsPinned"
  | "pin"
  | "getCanHide"
  | "getIsVisible"
  | "toggleVisibility"
  | "getIsSorted"
  | "getSortIndex"
  | "getNextSortingOrder"
  | "toggleSorting"
> & { columnDef: { meta: ColumnHead } };

type Layout<Shown> = {
  /** The visible columns from left to right: pinned left, free, pinned right. */
  shown: readonly Shown[];
  /** All columns in the person's order, hidden ones too. */
  all: readonly Shown[];
  filterRow: boolean;
  compact: boolean;
  isChanged: boolean;
  /** The column that sorts for this one: several may sort by the same field of the server. */
  sorterOf: (column: ColumnHead) => Shown | undefined;
  setWidths: (widths: Readonly<Record<string, number>>) => void;
  /** Moves a column to another one's place, before or after it depending on its old place. */
  move: (id: string, to: string) => void;
  setFilterRow: (open: boolean) => void;
  setCompact: (compact: boolean) => void;
  reset: () => void;
};
/** A new object when an arrangement changes, and only then. */
export type ColumnLayout<Row extends object> = Layout<GridColumn<Row>>;
/** The layout without the cells, for the heads and the chooser. */
export type HeadLayout = Layout<GridHead>;

export function useGridTable<Row extends object>(input: {
  list: TableState;
  columns: readonly Column<Row>[];
  data: readonly Row[];
  idOf: (row: Row) => RowId;
  rowSelection: RowSelectionState;
  onRowSelectionChange: (updater: Updater<RowSelectionState>) => void;
}) {
  const { list, columns, data, idOf, rowSelection, onRowSelectionChange } = input;
  const { id, sorts, setSorts } = list;
  const [settings, setSettings] = useState(() => readTableSettings(id));
  const keep = useCallback(
    (change: (now: TableSettings) => Partial<TableSettings>) => {
      writeTableSettings(id, change(readTableSettings(id)));
      setSettings(readTableSettings(id));
    },
    [id],
  );
  const definitions = useMemo(() => columns.map(define<Row>), [columns]);
  const arrangement = useMemo(() => arrangementOf(columns, settings), [columns, settings]);
  const sorting = useMemo(() => sortingOf(columns, sorts), [columns, sorts]);

  const options = useMemo(
    () => ({
      features,
      columns: definitions,
      data,
      getRowId: idOf,
      manualSorting: true,
      state: { ...arrangement, sorting, rowSelection },
      onColumnOrderChange: (updater: Updater<string[]>) =>
        keep(() => ({ order: functionalUpdate(updater, arrangement.columnOrder) })),
      onColumnPinningChange: (updater: Updater<ColumnPinningState>) =>
        keep(({ pinning }) => {
          const sides = (state: ColumnPinningState) => sidesIn(columns, state);
          const next = functionalUpdate(updater, arrangement.columnPinning);
          const changed = changes(sides(arrangement.columnPinning), sides(next));
          return { pinning: { ...pinning, ...changed } };
        }),
      onColumnSizingChange: (updater: Updater<Record<string, number>>) =>
        keep(({ sizing }) => {
          const next = functionalUpdate(updater, arrangement.columnSizing);
          const changed = Object.entries(changes(arrangement.columnSizing, next)).map(
            ([name, width]) => [name, Math.max(MIN_WIDTH, Math.round(width))],
          );
          return { sizing: { ...sizing, ...Object.fromEntries(changed) } };
        }),
      onColumnVisibilityChange: (updater: Updater<Record<string, boolean>>) =>
        keep(({ visibility }) => {
          const next = functionalUpdate(updater, arrangement.columnVisibility);
          return { visibility: { ...visibility, ...changes(arrangement.columnVisibility, next) } };
        }),
      onSortingChange: (updater: Updater<SortingState>) =>
        setSorts(sortsOf(columns, functionalUpdate(updater, sorting))),
      onRowSelectionChange,
    }),
    [
      definitions,
      columns,
      data,
      idOf,
      arrangement,
      sorting,
      rowSelection,
      keep,
      setSorts,
      onRowSelectionChange,
    ],
  );
  const table = useTable(options, nothing);

  const { setColumnOrder, setColumnSizing } = table;
  const all = ours<Row>(table.getAllLeafColumns());
  const left = ours<Row>(table.getStartVisibleLeafColumns());
  const free = ours<Row>(table.getCenterVisibleLeafColumns());
  const right = ours<Row>(table.getEndVisibleLeafColumns());
  const layout = useMemo(
    (): ColumnLayout<Row> => ({
      shown: [...left, ...free, ...right],
      all,
      filterRow: settings.filterRow,
      compact: settings.compact,
      isChanged: [settings.order, settings.sizing, settings.visibility, settings.pinning].some(
        (part) => Object.keys(part).length > 0,
      ),
      sorterOf: ({ sortBy }) => {
        const sorter = sortBy && columnBy(columns, sortBy);
        return sorter ? all.find((column) => column.id === sorter.id) : undefined;
      },
      setWidths: (widths) => setColumnSizing((now) => ({ ...now, ...widths })),
      move: (name, to) => setColumnOrder(moved(all, name, to)),
      setFilterRow: (filterRow) => keep(() => ({ filterRow })),
      setCompact: (compact) => keep(() => ({ compact })),
      reset: () => keep(() => ({ order: [], sizing: {}, visibility: {}, pinning: {} })),
    }),
    [columns, all, left, free, right, settings, keep, setColumnOrder, setColumnSizing],
  );
  return { table, layout };
}

function define<Row extends object>(column: Column<Row>) {
  return {
    id: column.id,
    header: column.header,
    // Our own cell draws the value; TanStack sorts only columns that have an accessor.
    accessorFn: () => null,
    enableHiding: column.hideable !== false,
    enableSorting: column.sortBy !== undefined,
    sortDescFirst: column.sortFirst === "desc",
    size: column.width ?? DEFAULT_WIDTH,
    minSize: MIN_WIDTH,
    meta: column,
  };
}

/** The page's arrangement with the person's changes applied. */
function arrangementOf<Row>(columns: readonly Column<Row>[], settings: TableSettings) {
  const columnOrder = [...new Set([...settings.order, ...columns.map(({ id }) => id)])];
  const sides = { ...Object.fromEntries(columns.map(({ id, pin }) => [id, pin])) };
  // In the order of the columns, whichever was pinned first.
  const pinned = (side: "left" | "right") =>
    columnOrder.filter((id) => (settings.pinning[id] ?? sides[id]) === side);
  const hidden = columns.filter((column) => column.hidden).map(({ id }) => [id, false] as const);
  return {
    columnOrder,
    columnPinning: { start: pinned("left"), end: pinned("right") },
    columnSizing: settings.sizing,
    columnVisibility: { ...Object.fromEntries(hidden), ...settings.visibility },
  };
}

/** The side of each column as it is stored. */
function sidesIn<Row>(columns: readonly Column<Row>[], { start, end }: ColumnPinningState) {
  const sideOf = (id: string) =>
    start.includes(id) ? "left" : end.includes(id) ? "right" : "none";
  return Object.fromEntries(columns.map(({ id }) => [id, sideOf(id)] as const));
}

/** The address orders by the server's names, TanStack by columns; some orders have no column. */
const columnBy = <Row>(columns: readonly Column<Row>[], field: string) =>
  columns.find(({ sortBy }) => sortBy === field);
const NO_COLUMN = "by ";

function sortingOf<Row>(columns: readonly Column<Row>[], sorts: readonly Sort[]): SortingState {
  return sorts.map(({ field, direction }) => ({
    id: columnBy(columns, field)?.id ?? NO_COLUMN + field,
    desc: direction === "desc",
  }));
}

function sortsOf<Row>(columns: readonly Column<Row>[], sorting: SortingState): Sort[] {
  return sorting.map(({ id, desc }) => ({
    field: columns.find((column) => column.id === id)?.sortBy ?? id.slice(NO_COLUMN.length),
    direction: desc ? "desc" : "asc",
  }));
}

/** The entries that differ. */
function changes<Value>(
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => before[name] !== value),
  );
}

function moved(all: readonly GridHead[], id: string, to: string): string[] {
  const order = all.map((column) => column.id);
  const [from, target] = [order.indexOf(id), order.indexOf(to)];
  if (from >= 0 && target >= 0) order.splice(target, 0, ...order.splice(from, 1));
  return order;
}
