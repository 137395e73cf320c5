/** The columns of a table in the person's arrangement. */
import {
  type ColumnDef,
  columnOrderingFeature,
  columnVisibilityFeature,
  constructTable,
  tableFeatures,
} from "@tanstack/react-table";
import { useCallback, useMemo, useState } from "react";
import type { Column, ColumnHead, Side } from "./column";
import { stillReactivity } from "./stillTable";
import { readTableSettings, type TableSettings, writeTableSettings } from "./tableSettings";

const features = tableFeatures({
  coreReactivityFeature: stillReactivity(),
  columnOrderingFeature,
  columnVisibilityFeature,
});

const DEFAULT_WIDTH = 140;
export const MIN_WIDTH = 56;
/** Rows are fetched and drawn by pages; TanStack only manages columns. */
const noRows: never[] = [];

/** A column with its present state. */
export type Placed<Row> = {
  column: Column<Row>;
  width: number;
  side: Side | null;
  visible: boolean;
};

export type ColumnLayout<Row> = {
  /** The visible columns from left to right: pinned left, free, pinned right. */
  shown: readonly Placed<Row>[];
  /** All columns in the person's order, hidden ones too. */
  all: readonly Placed<Row>[];
  filterRow: boolean;
  compact: boolean;
  isChanged: boolean;
  setWidths: (widths: Readonly<Record<string, number>>) => void;
  setVisible: (id: string, visible: boolean) => void;
  pin: (id: string, side: Side | null) => void;
  /** Moves a column to another one's place, before or after it depending on its old place. */
  move: (id: string, to: string) => void;
  setFilterRow: (open: boolean) => void;
  setCompact: (compact: boolean) => void;
  reset: () => void;
};

/** The layout without the cells, for the chooser. */
export type HeadLayout = Omit<ColumnLayout<never>, "all" | "shown"> & {
  all: readonly (Omit<Placed<never>, "column"> & { column: ColumnHead })[];
};

/** The layout of the table `id`. A person's changes are stored in this browser. */
export function useColumns<Row extends object>(
  id: string,
  columns: readonly Column<Row>[],
): ColumnLayout<Row> {
  const [settings, setSettings] = useState(() => readTableSettings(id));
  const keep = useCallback(
    (change: (now: TableSettings) => Partial<TableSettings>) => {
      writeTableSettings(id, change(readTableSettings(id)));
      setSettings(readTableSettings(id));
    },
    [id],
  );
  const definitions = useMemo(() => columns.map(define<Row>), [columns]);
  const state = useMemo(() => arrangement(columns, settings), [columns, settings]);
  const table = useMemo(
    () =>
      constructTable({
        features,
        columns: definitions,
        data: noRows as Row[],
        state: { columnOrder: state.order, columnVisibility: state.visibility },
      }),
    [definitions, state],
  );
  return useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]));
    const placed = (held: ReturnType<typeof table.getAllLeafColumns>): Placed<Row>[] =>
      held.flatMap((one) => {
        const column = byId.get(one.id);
        if (!column) return [];
        const width = settings.sizing[one.id] ?? column.width ?? DEFAULT_WIDTH;
        const side = state.sideOf(column);
        return [{ column, width, side, visible: one.getIsVisible() }];
      });
    const all = placed(table.getAllLeafColumns()).sort(
      (one, other) => state.order.indexOf(one.column.id) - state.order.indexOf(other.column.id),
    );
    const visible = placed(table.getVisibleLeafColumns());
    const at = (side: Side | null) => visible.filter((one) => one.side === side);
    return {
      shown: [...at("left"), ...at(null), ...at("right")],
      all,
      filterRow: settings.filterRow,
      compact: settings.compact,
      isChanged: [settings.order, settings.sizing, settings.visibility, settings.pinning].some(
        (part) => Object.keys(part).length > 0,
      ),
      setWidths: (widths) =>
        keep(({ sizing }) => ({
          sizing: {
            ...sizing,
            ...Object.fromEntries(
              Object.entries(widths).map(([name, width]) => [
                name,
                Math.max(MIN_WIDTH, Math.round(width)),
              ]),
            ),
          },
        })),
      setVisible: (name, visible) =>
        keep(({ visibility }) => ({ visibility: { ...visibility, [name]: visible } })),
      pin: (name, side) =>
        keep(({ pinning }) => ({ pinning: { ...pinning, [name]: side ?? "none" } })),
      move: (name, to) => keep(() => ({ order: moved(all, name, to) })),
      setFilterRow: (filterRow) => keep(() => ({ filterRow })),
      setCompact: (compact) => keep(() => ({ compact })),
      reset: () => keep(() => ({ order: [], sizing: {}, visibility: {}, pinning: {} })),
    };
  }, [columns, table, state, settings, keep]);
}

function define<Row extends object>(column: Column<Row>): ColumnDef<typeof features, Row> {
  return {
    id: column.id,
    header: column.header,
    // Our own cell draws the value; TanStack only needs an accessor.
    accessorFn: () => null,
    enableHiding: column.hideable !== false,
  };
}

/** The page's arrangement with the person's changes applied. */
function arrangement<Row>(columns: readonly Column<Row>[], settings: TableSettings) {
  const known = new Set(columns.map(({ id }) => id));
  const kept = settings.order.filter((id) => known.has(id));
  const hidden = columns.filter((column) => column.hidden).map(({ id }) => [id, false]);
  return {
    order: [...kept, ...[...known].filter((id) => !kept.includes(id))],
    visibility: { ...Object.fromEntries(hidden), ...settings.visibility },
    sideOf: ({ id, pin }: Column<Row>): Side | null => {
      const side = settings.pinning[id] ?? pin ?? "none";
      return side === "none" ? null : side;
    },
  };
}

function moved<Row>(all: readonly Placed<Row>[], id: string, to: string): string[] {
  const order = all.map(({ column }) => column.id);
  const [from, target] = [order.indexOf(id), order.indexOf(to)];
  if (from >= 0 && target >= 0) order.splice(target, 0, ...order.splice(from, 1));
  return order;
}
