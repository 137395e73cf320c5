/** The values that a table passes to its editor on each render, and the loaded rows. */

import type { QueryClient } from "@tanstack/react-query";
import { memberOf } from "@/shared/lib/records";
import { invalidate } from "@/shared/lib/tags";
import type { Column, ListAnswer, ListParams, RowId, RowSource } from "../column";
import type { SaveRow, SaveRows } from "./model";

export type Desk<Row extends object> = {
  queryClient: QueryClient;
  source: RowSource<Row>;
  columns: readonly Column<Row>[];
  idOf: (row: Row) => RowId;
  save?: SaveRow<Row>;
  saveRows?: SaveRows<Row>;
  /** The name of a row for people. */
  rowName?: (row: Row) => string;
  /** Called with each row that was stored, and what of it. */
  onStored?: (row: Row, changes: Partial<Row>) => void;
  /** Called after each save. */
  onEdited?: () => void;
  /** The selected rows. */
  selection: Chosen<Row>;
};

export type Chosen<Row> = {
  ids: readonly RowId[];
  rows: readonly Row[];
  /** True: all rows that match `params` are selected, loaded or not. */
  allMatching: boolean;
  count: number;
  params: ListParams;
};

type Pages<Row> = ListAnswer<Row> | undefined;

const isPage = <Row>(value: unknown): value is ListAnswer<Row> =>
  Array.isArray(memberOf(value, "data"));

/** The newest loaded state of each of these rows. */
export function loadedRows<Row extends object>(
  desk: Desk<Row>,
  ids: ReadonlySet<RowId>,
): Map<RowId, Row> {
  const found = new Map<RowId, Row>();
  const pages = desk.queryClient.getQueriesData<Pages<Row>>({ queryKey: desk.source.key });
  for (const [, page] of pages) {
    if (!isPage<Row>(page)) continue;
    for (const row of page.data) {
      const id = desk.idOf(row);
      if (ids.has(id)) found.set(id, newer(found.get(id), row));
    }
  }
  return found;
}

/** Of two states of a row, the one that was changed last. */
export function newer<Row extends object>(one: Row | undefined, other: Row): Row {
  // Without its Z: "05Z" would sort after "05.123Z".
  const stamp = (row: Row) => String(memberOf(row, "updatedAt") ?? "").replace(/Z$/, "");
  return one && stamp(one) > stamp(other) ? one : other;
}

/** Updates stored rows in all loaded pages. */
export function putLoaded<Row extends object>(
  desk: Desk<Row>,
  rows: ReadonlyMap<RowId, Row>,
): void {
  desk.queryClient.setQueriesData<Pages<Row>>({ queryKey: desk.source.key }, (page) => {
    if (!isPage<Row>(page)) return page;
    let touched = false;
    const data = page.data.map((old) => {
      const now = rows.get(desk.idOf(old));
      if (now) touched = true;
      return now ?? old;
    });
    return touched ? { ...page, data } : page;
  });
}

/** Fetches the visible rows again. */
export function refetch<Row extends object>(desk: Desk<Row>): void {
  void invalidate(desk.queryClient, desk.source.key);
}

/** A row's name for people. */
export function nameOf<Row extends object>(desk: Desk<Row>, row: Row): string {
  if (desk.rowName) return desk.rowName(row);
  const word = ["item_name", "name", "item_number"]
    .map((member) => memberOf(row, member))
    .find((one) => typeof one === "string" && one);
  return typeof word === "string" ? word : `row ${desk.idOf(row)}`;
}
