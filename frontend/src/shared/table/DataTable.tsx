import { clsx } from "clsx";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { formatCount } from "@/shared/lib/format";
import { memberOf } from "@/shared/lib/records";
import { hides, may, type Operation } from "@/shared/lib/role";
import { useIsPhone } from "@/shared/lib/useIsPhone";
import { useStable } from "@/shared/lib/useStable";
import { Button } from "@/shared/ui/Button";
import { genericPart } from "@/shared/ui/lazyPart";
import type { MenuEntry } from "@/shared/ui/Menu";
import { EmptyState, ErrorState, Loading, Notice } from "@/shared/ui/states";
import { useCellEdits } from "./cellEdits";
import type { Column, GetId, Identified, RowSource } from "./column";
import type { SaveRow, SaveRows } from "./editing/model";
import { Footer } from "./Footer";
import { Grid } from "./Grid";
import { SelectionBar } from "./SelectionBar";
import { Toolbar } from "./Toolbar";
import type { TableState } from "./tableState";
import { type GridTable, useGridTable } from "./useGridTable";
import { type Rows, useRows } from "./useRows";
import { type PageChoice, type Selection, useSelection } from "./useSelection";
import type { RowsViewProps } from "./view";

const CardList = genericPart(() => import("./CardList").then((m) => m.CardList), <Loading />);
const TileGrid = genericPart(() => import("./TileGrid").then((m) => m.TileGrid), <Loading />);

export type DataTableProps<Row extends object> = {
  /** What the table lists, for screen readers: "Sources". */
  label: string;
  table: TableState;
  columns: readonly Column<Row>[];
  source: RowSource<Row>;
  /** Shown when the list is empty. When filters hide all rows, the table itself names them. */
  empty: ReactNode;
  /** Shows a search box with this name; searching is debounced by 300 ms. */
  searchLabel?: string;
  toolbar?: ReactNode;
  /** The page's own filters; `all`: also those that are off. */
  filters?: (all: boolean) => ReactNode;
  /** The page's own entries of *More*. */
  more?: readonly MenuEntry[];
  /** The choice between this table and other views of the same, at the end of the toolbar. */
  switcher?: ReactNode;
  /** Draws the rows as tiles: the content of one. */
  tile?: (row: Row) => ReactNode;
  rowActions?: (row: Row) => readonly MenuEntry[];
  /** Handles keys of a focused row; `say` announces what they did. These keys do not start editing. */
  rowKeys?: Readonly<Record<string, (row: Row, say: (text: string) => void) => void>>;
  /** Enter or double click on a row. */
  onOpen?: (row: Row) => void;
  /** What the heads of columns of money name. */
  currency?: string;
  /** Saves changes of one row and resolves with the stored row. `call.key`: the Idempotency-Key. */
  onEdit?: SaveRow<Row>;
  /** Adds, changes and deletes many rows in one request: `bulkRows(…)` of `shared/api/bulk`. */
  onBulk?: SaveRows<Row>;
  /** The name of a row in the history and in lists of errors. */
  rowName?: (row: Row) => string;
  /** The key of the history, where tables of one id show different rows: `batchItems:12`. */
  historyKey?: string;
  /** Called after a save, undo or redo, to update figures elsewhere. */
  onEdited?: () => void;
  /** Called with each row that was stored, and what of it. */
  onStored?: (row: Row, changes: Partial<Row>) => void;
  /** Buttons for the rows that are selected; without it rows cannot be selected. */
  bulk?: (selection: Selection<Row>) => ReactNode;
  /** The totals of all rows, loaded or not; shown in the foot. */
  sums?: ReactNode;
  /** What a change of a cell needs: without it nothing is edited. */
  needs?: Operation;
  /** Offers to select all matching rows, loaded or not; `bulk` must then handle `allMatching`. */
  offerAllMatching?: boolean;
} & Identified<Row>;

/**
 * The table of the app: server-side pages, order and search over virtual rows.
 *
 * Cells can be edited where `onEdit` or `onBulk` is given, in columns with an `edit`. A page only
 * says what is sent; the outbox sends it, also when the page is gone. The table itself (`editing/`) shows edits at once, marks, undoes,
 * pastes, fills, computes and retries them, and keeps the history under `historyKey`. The fields
 * of a refusal mark cells, and a CONFLICT with the current row opens the choice "mine or theirs".
 * Pages that delete
 * or create rows with their own buttons use `rowEditor(historyKey)`.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, table: state, source, bulk, offerAllMatching = false } = props;
  const columns = useMemo(() => props.columns.filter(isSeen), [props.columns]);
  const getId = props.getId as GetId<Row> | undefined;
  const idOf = useCallback((row: Row) => String(getId ? getId(row) : memberOf(row, "id")), [getId]);
  const { say, spoken } = useAnnouncer();
  const rows = useRows(source, state);
  const isPhone = useIsPhone();
  /** Cards and tiles have no heads to sort, filter and select by. */
  const headless = isPhone || props.tile !== undefined;
  const { selection, takeAllMatching, toggle, ...selected } = useSelection({
    rows,
    params: state.params,
    idOf,
    say,
  });
  const { table, layout } = useGridTable({
    list: state,
    columns,
    data: rows.data,
    idOf,
    ...selected,
  });
  const { rows: loaded } = table.getRowModel();
  const rowAt = (index: number) => loaded[rows.placeOf(index)];
  const { rowName, onEdited, onStored } = props;
  const isEditable = !props.needs || may(props.needs);
  const [save, saveRows] = isEditable ? [props.onEdit, props.onBulk] : [];
  const edits = useCellEdits<Row>(props.historyKey ?? state.id, {
    ...{ source, columns, idOf, save, saveRows, rowName, onEdited, onStored, selection },
  });
  const { parts, editor } = edits;
  const tools = useMemo(
    () => parts && editor && <parts.Tools editor={editor} key={state.id} />,
    [parts, editor, state.id],
  );
  const togglePage = useStable(() => {
    if (state.pageSize === "all" && offerAllMatching && !selection.allMatching) takeAllMatching();
    else table.toggleAllPageRowsSelected();
  });
  const canSelect = bulk !== undefined || saveRows !== undefined;
  const rowActions = useStable((row: Row) => props.rowActions?.(row) ?? []);
  const onOpen = useStable((row: Row) => props.onOpen?.(row));
  useTellFound(rows, state, say);

  const view: RowsViewProps<Row> = {
    label,
    state,
    rows,
    rowAt,
    layout,
    idOf,
    edits,
    canEdit: edits.editor !== null,
    choice: canSelect ? { toggle, togglePage, page: chosenOf(table, loaded.length) } : null,
    rowActions: props.rowActions && rowActions,
    rowKeys: props.rowKeys,
    onOpen: props.onOpen && onOpen,
    currency: props.currency,
    say,
  };
  return (
    <section
      aria-label={label}
      // The bar of what is selected takes its height from the rows, not from the foot.
      data-selecting={canSelect && selection.count > 0 ? "" : undefined}
      className="flex min-h-0 flex-col rounded-card border border-line bg-surface shadow-card"
    >
      <Toolbar
        {...{ state, layout, say, label, source }}
        headless={headless}
        switcher={props.switcher}
        hasColumns={props.tile === undefined}
        total={rows.total}
        choice={headless ? view.choice : null}
        searchLabel={props.searchLabel}
        stale={rows.stale}
        tools={tools}
        editor={editor}
        filters={props.filters}
        more={props.more}
      >
        {props.toolbar}
      </Toolbar>
      <Body view={view} tile={props.tile} empty={props.empty} isPhone={isPhone} />
      {rows.partError !== null && (
        <Notice
          tone="danger"
          title="Some rows could not be loaded"
          actions={
            <Button size="sm" onClick={rows.retry}>
              Try again
            </Button>
          }
        />
      )}
      {canSelect && selection.count > 0 && (
        <SelectionBar
          selection={selection}
          total={rows.total}
          sums={sumsOf(selection, columns)}
          onAllMatching={offerAllMatching ? takeAllMatching : undefined}
        >
          {saveRows && (
            <Button size="sm" onClick={() => edits.editor?.open({ kind: "bulk" })}>
              Edit
            </Button>
          )}
          {bulk?.(selection)}
        </SelectionBar>
      )}
      {(rows.total > 0 || rows.state === "loading") && (
        <Footer {...{ state, total: rows.total, count: rows.count, sums: props.sums }} />
      )}
      {spoken}
    </section>
  );
}

/** The rows; or that they load, why they could not, or that there are none. */
function Body<Row extends object>(props: {
  view: RowsViewProps<Row>;
  tile: ((row: Row) => ReactNode) | undefined;
  empty: ReactNode;
  isPhone: boolean;
}) {
  const { view, tile, isPhone } = props;
  const { rows, state } = view;
  if (rows.state === "failed") return <ErrorState error={rows.error} onRetry={rows.retry} />;
  if (rows.state === "ready" && rows.total === 0) {
    if (!state.isNarrowed) return props.empty;
    return (
      <EmptyState
        title="Nothing matches"
        actions={<Button onClick={state.clearNarrowing}>Clear search and filters</Button>}
      >
        Nothing here fits the search and the filters that are on.
      </EmptyState>
    );
  }
  return (
    <div className={clsx("flex min-h-0 flex-col transition-opacity", rows.stale && "opacity-60")}>
      {tile ? (
        <TileGrid {...view} tile={tile} />
      ) : isPhone ? (
        <CardList {...view} />
      ) : (
        <Grid {...view} />
      )}
    </div>
  );
}

/** A hidden live region for screen readers; debounced. */
function useAnnouncer(): { say: (text: string) => void; spoken: ReactNode } {
  const [told, setTold] = useState({ text: "", times: 0 });
  const say = useCallback(
    (text: string) => setTold(({ times }) => ({ text, times: times + 1 })),
    [],
  );
  return {
    say,
    spoken: (
      <div aria-live="polite" className="sr-only">
        {/* Makes the same text twice in a row be read twice. */}
        <span key={told.times}>{told.text}</span>
      </div>
    ),
  };
}

/** How many of the page's rows are selected. */
function chosenOf(
  table: Pick<GridTable, "getIsAllPageRowsSelected" | "getIsSomePageRowsSelected">,
  rows: number,
): PageChoice["page"] {
  if (rows === 0) return "empty";
  if (table.getIsAllPageRowsSelected()) return "all";
  return table.getIsSomePageRowsSelected() ? "some" : "none";
}

/** Whether the person's role is sent what a column shows. */
const isSeen = <Row,>({ id, sortBy, from }: Column<Row>): boolean =>
  ![id, sortBy ?? id, from ?? id].some(hides);

/** The totals of the selected rows, if all of them are loaded. */
function sumsOf<Row>(selection: Selection<Row>, columns: readonly Column<Row>[]): string[] {
  if (selection.rows.length !== selection.count) return [];
  return columns.flatMap(({ sum }) => (sum ? sum(selection.rows) : []));
}

/** Announces the number of results when search, filters or page change. */
function useTellFound<Row>(rows: Rows<Row>, state: TableState, say: (text: string) => void) {
  const { page_size: _size, ordering: _ordering, ...listed } = state.params;
  const key = JSON.stringify(listed);
  const told = useRef<string | null>(null);
  const settled = rows.state === "ready" && !rows.stale;
  const { total, offset, count } = rows;
  useEffect(() => {
    if (!settled || told.current === key) return;
    // Screen readers read the first result with the page.
    if (told.current !== null) {
      const range = `rows ${formatCount(offset + 1)} to ${formatCount(offset + count)}`;
      say(total === 0 ? "Nothing matches" : `${formatCount(total)} found, ${range}`);
    }
    told.current = key;
  }, [settled, key, total, offset, count, say]);
}
