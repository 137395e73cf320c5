import { X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { formatCount } from "@/shared/lib/format";
import { Button, IconButton } from "@/shared/ui/Button";
import type { ListParams, RowId } from "./column";
import type { TableState } from "./tableState";
import type { GridTable } from "./useGrid";
import type { Rows } from "./useRows";

export type Selection<Row> = {
  /** Ids chosen one by one, over pages; empty with `allMatching`. */
  ids: RowId[];
  /** Those of the chosen rows that are loaded. */
  rows: Row[];
  /** Everything that fits `params` is meant, loaded or not. */
  allMatching: boolean;
  count: number;
  params: ListParams;
  clear: () => void;
};

/** "All that match" holds for one set of search and filters; another one ends it. */
export function useAllMatching(params: ListParams) {
  const { page: _page, page_size: _size, ordering: _ordering, ...narrowing } = params;
  const key = JSON.stringify(narrowing);
  const [onFor, setOnFor] = useState<string | null>(null);
  return { on: onFor === key, turnOn: () => setOnFor(key), turnOff: () => setOnFor(null) };
}

export function selectionOf<Row extends object>(input: {
  grid: GridTable<Row>;
  rows: Rows<Row>;
  state: TableState;
  allMatching: ReturnType<typeof useAllMatching>;
}): Selection<Row> {
  const { grid, rows, state, allMatching } = input;
  const ids = Object.keys(grid.state.rowSelection);
  return {
    ids: allMatching.on ? [] : ids,
    rows: grid.getRowModel().rows.flatMap((row) => (row.getIsSelected() ? [row.original] : [])),
    allMatching: allMatching.on,
    count: allMatching.on ? rows.total : ids.length,
    params: state.params,
    clear: () => {
      allMatching.turnOff();
      grid.setRowSelection({});
    },
  };
}

/** The bar at the table's foot while rows are selected. */
export function SelectionBar<Row>(props: {
  selection: Selection<Row>;
  total: number;
  onAllMatching?: () => void;
  children: ReactNode;
}) {
  const { selection, total, onAllMatching } = props;
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-t bg-accent-tint px-3 py-2">
      <IconButton
        label="Clear selection"
        size="sm"
        icon={<X aria-hidden="true" className="size-4" />}
        onClick={selection.clear}
      />
      <span role="status" className="mr-1 font-medium tabular-nums">
        {formatCount(selection.count)} selected
      </span>
      {onAllMatching && !selection.allMatching && selection.count < total && (
        <Button size="sm" variant="ghost" onClick={onAllMatching}>
          Select all {formatCount(total)} matching
        </Button>
      )}
      <div className="ml-auto flex flex-wrap items-center gap-2">{props.children}</div>
    </div>
  );
}
