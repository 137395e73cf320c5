/** The selected rows: one by one, by ranges, or all that match. Stored by id across pages. */
import { useState } from "react";
import { useStable } from "@/shared/lib/useStable";
import type { ListParams, RowId } from "./column";
import type { Rows } from "./useRows";

/** The most rows that a range may fetch; for more, use "all matching". */
const RANGE_LIMIT = 5_000;

export type Selection<Row> = {
  /** Ids selected one by one, across pages; empty with `allMatching`. */
  ids: RowId[];
  /** The selected rows as last loaded; with `allMatching` those that are loaded. */
  rows: Row[];
  /** True: all rows that match `params` are selected, loaded or not. */
  allMatching: boolean;
  count: number;
  params: ListParams;
  clear: () => void;
};

/** The part that the checkboxes of both views need. */
export type RowChoice = {
  has: (id: RowId) => boolean;
  /** Toggles the row at a position of the view; with `range` all rows from the last toggled one. */
  toggle: (index: number, range: boolean) => void;
  /** Toggles all rows of the page; where all rows are shown, all that match. */
  togglePage: () => void;
  page: "none" | "some" | "all";
};

type Chosen<Row> = ReadonlyMap<RowId, Row>;

export function useSelection<Row extends object>(input: {
  rows: Rows<Row>;
  params: ListParams;
  idOf: (row: Row) => RowId;
  /** Whether "all matching" is offered. */
  offerAll: boolean;
  lists: "page" | "all";
  say: (text: string) => void;
}): { selection: Selection<Row>; choice: RowChoice; takeAllMatching: () => void } {
  const { rows, params, idOf, offerAll, lists, say } = input;
  const { page: _page, page_size: _size, ordering, ...narrowing } = params;
  // "All that match" belongs to one search and filters; another one ends it.
  const matching = JSON.stringify(narrowing);
  const [allFor, setAllFor] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Chosen<Row>>(new Map());
  const [anchor, setAnchor] = useState<{ place: number; within: string } | null>(null);
  const all = allFor === matching;
  const within = `${matching} ${ordering ?? ""}`;

  const put = (some: readonly Row[], on: boolean, base?: Chosen<Row>) =>
    setChosen((now) => {
      const next = new Map(base ?? now);
      for (const row of some) {
        if (on) next.set(idOf(row), row);
        else next.delete(idOf(row));
      }
      return next;
    });
  /** One row was removed from "all": the loaded rows stay selected. */
  const leaveAll = (without: RowId) => {
    setAllFor(null);
    const kept = rows.loaded().filter((row) => idOf(row) !== without);
    put(kept, true, new Map());
    say(`No longer all that match: ${kept.length} loaded rows stay selected`);
  };

  const toggle = useStable((index: number, range: boolean) => {
    const row = rows.rowAt(index);
    if (!row) return;
    if (all) return leaveAll(idOf(row));
    const place = rows.offset + index;
    const on = !chosen.has(idOf(row));
    const from = range && anchor?.within === within ? anchor.place - rows.offset : index;
    setAnchor({ place, within });
    if (from === index) return put([row], on);
    const [first, last] = from < index ? [from, index] : [index, from];
    if (last - first >= RANGE_LIMIT) {
      return say(`A range takes ${RANGE_LIMIT} rows at most; select all matching instead`);
    }
    void rows.between(first, last).then(
      (some) => put(some, on),
      () => say("The rows of this range could not be loaded"),
    );
  });
  const loaded = rows.loaded();
  const chosenHere = loaded.filter((row) => chosen.has(idOf(row))).length;
  const page =
    all || (chosenHere > 0 && chosenHere === loaded.length)
      ? "all"
      : chosenHere > 0
        ? "some"
        : "none";
  const togglePage = useStable(() => {
    if (all) {
      setAllFor(null);
      setChosen(new Map());
    } else if (lists === "all" && offerAll) setAllFor(matching);
    else put(loaded, page !== "all");
  });

  return {
    selection: {
      ids: all ? [] : [...chosen.keys()],
      rows: all ? loaded : newest(chosen, loaded, idOf),
      allMatching: all,
      count: all ? rows.total : chosen.size,
      params,
      clear: () => {
        setAllFor(null);
        setChosen(new Map());
      },
    },
    choice: { has: (id) => all || chosen.has(id), toggle, togglePage, page },
    takeAllMatching: () => setAllFor(matching),
  };
}

/** The selected rows, in their newest loaded state. */
function newest<Row>(chosen: Chosen<Row>, loaded: readonly Row[], idOf: (row: Row) => RowId) {
  if (chosen.size === 0) return [];
  const now = new Map(loaded.map((row) => [idOf(row), row]));
  return [...chosen].map(([id, row]) => now.get(id) ?? row);
}
