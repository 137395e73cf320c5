/** The columns that a page defines: data, as module constants. */
import type { QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Option } from "@/shared/ui/Field";

export type CellEdit<Row> = {
  /** The text at the start of editing. */
  value: (row: Row) => string;
  /** Why this text cannot be saved, or null. The server decides. */
  check?: (text: string) => string | null;
  /** The changes that the text means, with the API's field names. */
  parse: (text: string) => Partial<Row>;
} /** `lines`: text of several lines; Alt and Enter begin a new one. */ & (
  | { kind: "text"; lines?: boolean }
  /** `places`: decimal places of arithmetic such as `=*1.1`; default 4. */
  | { kind: "number"; places?: number }
  | { kind: "select"; options: readonly Option[] }
);

/** The filters of a column; their names are the list endpoint's parameters. */
export type ColumnFilter<Param extends string = string> =
  | { kind: "text"; param: Param }
  | { kind: "choice"; param: Param; options: readonly Option[] }
  /** Both ends are inclusive. Give only the ends that the endpoint supports. */
  | { kind: "number" | "date"; from?: Param; to?: Param };

export type Side = "left" | "right";

/** `Param`: the parameters of its list's endpoint, by which it may be filtered. */
export type Column<Row, Param extends string = string> = {
  id: string;
  header: string;
  /** The field that it is worked out from, where its id does not say so. */
  from?: string;
  /** Its amounts are money: the head names the currency, the cells do not. */
  money?: boolean;
  cell: (row: Row) => ReactNode;
  /** The copied text, where it differs from the edited text and from the text of `cell`. */
  text?: (row: Row) => string;
  /** Default width in pixels. People may change it. */
  width?: number;
  align?: "start" | "end";
  /** The server's name of this ordering; without it the column cannot be sorted. */
  sortBy?: string;
  /** What the first click on its head sorts by: the largest matters most. Otherwise the least. */
  sortFirst?: "desc";
  /** Draws a control in the filter row; the same parameters go to `useTableState({ columns })`. */
  filter?: ColumnFilter<Param>;
  /** Pinned to this side while the others scroll. People may change it. */
  pin?: Side;
  /** Hidden until a person shows it. */
  hidden?: boolean;
  /** False: it cannot be hidden. */
  hideable?: boolean;
  /** The title of the row's card on a phone. */
  primary?: boolean;
  /** Shown in the second line of the row's card on a phone, which then shows only such columns. */
  brief?: (row: Row) => ReactNode;
  /** The one that is cut where that line is full; else the first. */
  briefGivesWay?: boolean;
  edit?: CellEdit<Row>;
  /** The column's total for the bar of selected rows. */
  sum?: (rows: readonly Row[]) => string;
};

/** The part of a column that does not depend on its rows. */
export type ColumnHead = Omit<Column<never>, "cell" | "edit" | "sum" | "brief">;

/** What a column's head says; the amounts of a column of money are in one currency. */
export const headText = (
  { header, money }: Pick<ColumnHead, "header" | "money">,
  currency: string | undefined,
): string => (money && currency ? `${header}, ${currency}` : header);

/** A row's identity in the table. */
export type RowId = string;

export type GetId<Row> = (row: Row) => string | number;

/** `getId` may be omitted only where rows have an `id`. */
export type Identified<Row> = Row extends { id: string | number }
  ? { getId?: GetId<Row> }
  : { getId: GetId<Row> };

/** The parameters of a list endpoint: four fixed names, and the filters. */
export type ListParams = {
  page: number;
  page_size: number;
  ordering?: string;
  search?: string;
} & Record<string, string | number | undefined>;

/** What narrows a list, without its page and order. */
export function filtersOf(params: ListParams) {
  const { page: _page, page_size: _size, ordering: _ordering, ...filters } = params;
  return filters;
}

export type ListAnswer<Row> = {
  data: Row[];
  pagination: { total_items: number; total_pages: number } | null;
};

/** The source of the rows: the cache key of their pages, and the function that fetches one. */
export type RowSource<Row> = {
  key: QueryKey;
  fetch: (params: ListParams, signal: AbortSignal) => Promise<ListAnswer<Row>>;
};
