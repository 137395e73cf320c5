/** The selected rows: one by one, by ranges, or all that match. Kept across pages. */
import { functionalUpdate, type RowSelectionState, type Updater } from "@tanstack/react-table";
import { useMemo, useState } from "react";
import { useStable } from "@/shared/lib/useStable";
import type { ListParams, RowId } from "./column";
import type { GridRow } from "./useGridTable";
import type { Rows } from "./useRows";

/** The most rows that a range may fetch; for more, use "all matching". */
const RANGE_LIMIT = 5_000;

export type Selection<Row> = {
  /** Ids selected one by one, across pages; empty with `allMatching`. */
  ids: RowId[];
  /** The selected rows as last loaded; with `allMatching` those that are loaded. */
  rows: readonly Row[];
  /** True: all rows that match `params` are selected, loaded or not. */
  allMatching: boolean;
  count: number;
  params: ListParams;
  clear: () => void;
};

/** The checkbox of all rows. */
export type PageChoice = {
  /** Toggles all rows of the page; where all rows are shown, all that match. */
  togglePage: () => void;
  /** "empty": it has no rows, or not yet. */
  page: "empty" | "none" | "some" | "all";
};

/** The part that the checkboxes of all views need. */
export type RowChoice<Row extends object> = PageChoice & {
  /** Toggles a row, at this position of the view; with `range` all rows from the last toggled. */
  toggle: (row: GridRow<Row>, index: number, range: boolean) => void;
};

type Chosen<Row> = ReadonlyMap<RowId, Row>;

const marked = (ids: Iterable<RowId>): RowSelectionState =>
  Object.fromEntries([...ids].map((id) => [id, true]));

/**
 * The state of the selection for TanStack's table. That one knows the loaded rows only: ranges over
 * others and "all that match" are added here.
 */
export function useSelection<Row extends object>(input: {
  rows: Rows<Row>;
  params: ListParams;
  idOf: (row: Row) => RowId;
  say: (text: string) => void;
}) {
  const { rows, params, idOf, say } = input;
  const { page: _page, page_size: _size, ordering, ...narrowing } = params;
  // "All that match" belongs to one search and filters; another one ends it.
  const matching = JSON.stringify(narrowing);
  const [allFor, setAllFor] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Chosen<Row>>(new Map());
  const [anchor, setAnchor] = useState<{ place: number; within: string } | null>(null);
  const all = allFor === matching;
  const within = `${matching} ${ordering ?? ""}`;

  const { data } = rows;
  const loaded = useMemo(() => new Map(data.map((row) => [idOf(row), row])), [data, idOf]);
  const rowSelection = useMemo(
    () => marked(all ? loaded.keys() : chosen.keys()),
    [all, loaded, chosen],
  );
  const onRowSelectionChange = useStable((updater: Updater<RowSelectionState>) => {
    if (all) {
      setAllFor(null);
      const kept = Object.keys(functionalUpdate(updater, rowSelection)).length;
      if (kept > 0) say(`No longer all that match: ${kept} loaded rows stay selected`);
    }
    setChosen((now) => {
      const before = all ? loaded : now;
      const next = functionalUpdate(updater, marked(before.keys()));
      return new Map([...before, ...loaded].filter(([id]) => next[id]));
    });
  });

  const toggle = useStable((row: GridRow<Row>, index: number, range: boolean) => {
    if (all) return row.toggleSelected();
    const place = rows.offset + index;
    const from = range && anchor?.within === within ? anchor.place - rows.offset : index;
    const on = !row.getIsSelected();
    setAnchor({ place, within });
    if (from === index) return row.toggleSelected(on);
    const [first, last] = from < index ? [from, index] : [index, from];
    if (last - first >= RANGE_LIMIT) {
      return say(`A range takes ${RANGE_LIMIT} rows at most; select all matching instead`);
    }
    void rows.between(first, last).then(
      (some) =>
        setChosen((now) => {
          const next = new Map(now);
          for (const one of some) {
            if (on) next.set(idOf(one), one);
            else next.delete(idOf(one));
          }
          return next;
        }),
      () => say("The rows of this range could not be loaded"),
    );
  });

  const selection: Selection<Row> = {
    ids: all ? [] : [...chosen.keys()],
    rows: all ? data : [...chosen].map(([id, row]) => loaded.get(id) ?? row),
    allMatching: all,
    count: all ? rows.total : chosen.size,
    params,
    clear: () => {
      setAllFor(null);
      setChosen(new Map());
    },
  };
  return {
    selection,
    rowSelection,
    onRowSelectionChange,
    toggle,
    takeAllMatching: () => setAllFor(matching),
  };
}
