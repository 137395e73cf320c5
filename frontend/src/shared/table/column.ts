/** What a page says of its columns: data, kept as module constants. */
import type { ReactNode } from "react";
import type { Option } from "@/shared/ui/Field";

export type CellEdit<Row> = {
  /** The text that editing begins with. */
  value: (row: Row) => string;
  /** Why this text cannot be saved, or null. The server has the last word. */
  check?: (text: string) => string | null;
  /** The changes that the text means, as the wire names them. */
  parse: (text: string) => Partial<Row>;
} /** `lines`: of several lines; Alt and Enter begin another. */ & (
  | { kind: "text"; lines?: boolean }
  /** `places`: what arithmetic such as `=*1.1` is rounded to; 4 by default. */
  | { kind: "number"; places?: number }
  | { kind: "select"; options: readonly Option[] }
);

/** What a column can be narrowed by; the names are the list endpoint's parameters. */
export type ColumnFilter =
  | { kind: "text"; param: string }
  | { kind: "choice"; param: string; options: readonly Option[] }
  /** Both ends count in. Give only the ends that the endpoint knows. */
  | { kind: "number" | "date"; from?: string; to?: string };

export type Side = "left" | "right";

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** What is copied of it, where that is neither what is edited nor plain text of `cell`. */
  text?: (row: Row) => string;
  /** Pixels; people may change it. */
  width?: number;
  align?: "start" | "end";
  /** The server's name of this ordering; without it the column cannot be sorted. */
  sortBy?: string;
  /** Draws a control in the filter row; the same parameters go to `useTableState({ columns })`. */
  filter?: ColumnFilter;
  /** Stays in sight at this side while the others scroll; people may change it. */
  pin?: Side;
  /** Not shown until a person chooses it. */
  hidden?: boolean;
  /** False: always shown. */
  hideable?: boolean;
  /** The title of the row's card on a phone. */
  primary?: boolean;
  /** In the second line of the row's card on a phone, where then only these stand. */
  brief?: (row: Row) => ReactNode;
  edit?: CellEdit<Row>;
  /** What the bar of selected rows shows of them together. */
  sum?: (rows: readonly Row[]) => string;
};

/** What is known of a column without its rows. */
export type ColumnHead = Omit<Column<never>, "cell" | "edit" | "sum" | "brief">;

/** A row's identity as the table knows it. */
export type RowId = string;

export type GetId<Row> = (row: Row) => string | number;

/** `getId` may be left out where rows have an `id`, and only there. */
export type Identified<Row> = Row extends { id: string | number }
  ? { getId?: GetId<Row> }
  : { getId: GetId<Row> };

/** What a list endpoint is asked for. Filters lie beside the four fixed names. */
export type ListParams = {
  page: number;
  page_size: number;
  ordering?: string;
  search?: string;
} & Record<string, string | number | undefined>;

export type ListAnswer<Row> = {
  data: Row[];
  pagination: { total_items: number; total_pages: number } | null;
};

/** Where rows come from: the key that their pages are cached under, and how one is fetched. */
export type RowSource<Row> = {
  key: readonly unknown[];
  fetch: (params: ListParams, signal: AbortSignal) => Promise<ListAnswer<Row>>;
};
