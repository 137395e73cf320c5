import { clsx } from "clsx";
import { type ReactNode, useCallback } from "react";
import { Button } from "@/shared/ui/Button";
import type { MenuEntry } from "@/shared/ui/Menu";
import { EmptyState, ErrorState } from "@/shared/ui/states";
import { CardList } from "./CardList";
import { useCellEdits } from "./cellEdits";
import type { Column, GetId, Identified, RowSource } from "./column";
import { Footer } from "./Footer";
import { Grid } from "./Grid";
import { type Selection, SelectionBar, selectionOf, useAllMatching } from "./SelectionBar";
import { Toolbar } from "./Toolbar";
import type { TableState } from "./tableState";
import { useGrid } from "./useGrid";
import { useIsPhone } from "./useIsPhone";
import { useRows } from "./useRows";

export type DataTableProps<Row extends object> = {
  /** What the table lists, for screen readers: "Sources". */
  label: string;
  table: TableState;
  columns: readonly Column<Row>[];
  source: RowSource<Row>;
  /** Shown when there is nothing at all; what was filtered away is told by the table itself. */
  empty: ReactNode;
  /** Shows a search box with this name; searching waits for 300 ms of rest. */
  searchLabel?: string;
  toolbar?: ReactNode;
  rowActions?: (row: Row) => readonly MenuEntry[];
  /** Enter or double click on a row. */
  onOpen?: (row: Row) => void;
  /** Saves changes of one cell; resolves with the row as stored. */
  onEdit?: (row: Row, changes: Partial<Row>) => Promise<Row>;
  /** Buttons for the rows that are selected; without it rows cannot be selected. */
  bulk?: (selection: Selection<Row>) => ReactNode;
  /** Offers to select all that match, loaded or not; `bulk` then minds `allMatching`. */
  offerAllMatching?: boolean;
} & Identified<Row>;

/** The one table of the product: server-side pages, order and search over virtual rows. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, table: state, columns, source, bulk } = props;
  const getId = props.getId as GetId<Row> | undefined;
  const idOf = useCallback(
    (row: Row) => String(getId ? getId(row) : (row as { id: string | number }).id),
    [getId],
  );
  const rows = useRows(source, state);
  const edits = useCellEdits(source, idOf, props.onEdit);
  const grid = useGrid({ state, columns, rows: rows.loaded, idOf });
  const allMatching = useAllMatching(state.params);
  const isPhone = useIsPhone();
  const selection = selectionOf({ grid, rows, state, allMatching });
  const View = isPhone ? CardList : Grid;

  return (
    <section
      aria-label={label}
      className="flex min-h-0 flex-col rounded-card border border-line bg-surface shadow-card"
    >
      <Toolbar state={state} grid={grid} searchLabel={props.searchLabel} stale={rows.stale}>
        {props.toolbar}
      </Toolbar>
      {rows.state === "failed" && <ErrorState error={rows.error} onRetry={rows.retry} />}
      {rows.state === "ready" && rows.total === 0 && !state.isNarrowed && props.empty}
      {rows.state === "ready" && rows.total === 0 && state.isNarrowed && (
        <EmptyState
          title="Nothing matches"
          actions={<Button onClick={state.clearNarrowing}>Clear search and filters</Button>}
        >
          Nothing here fits the search and the filters that are on.
        </EmptyState>
      )}
      {(rows.state === "loading" || rows.total > 0) && (
        <div
          className={clsx("flex min-h-0 flex-col transition-opacity", rows.stale && "opacity-60")}
        >
          <View
            label={label}
            rows={rows}
            grid={grid}
            columns={columns}
            idOf={idOf}
            edits={edits}
            canEdit={props.onEdit !== undefined}
            selectable={bulk !== undefined}
            rowActions={props.rowActions}
            onOpen={props.onOpen}
          />
        </div>
      )}
      {bulk && selection.count > 0 && (
        <SelectionBar
          selection={selection}
          total={rows.total}
          onAllMatching={props.offerAllMatching ? allMatching.turnOn : undefined}
        >
          {bulk(selection)}
        </SelectionBar>
      )}
      {rows.total > 0 && <Footer state={state} total={rows.total} count={rows.count} />}
    </section>
  );
}
