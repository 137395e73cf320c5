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
} & ({ kind: "text" | "number" } | { kind: "select"; options: readonly Option[] });

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Pixels; people may change it. */
  width?: number;
  align?: "start" | "end";
  /** The server's name of this ordering; without it the column cannot be sorted. */
  sortBy?: string;
  /** Not shown until a person chooses it. */
  hidden?: boolean;
  /** False: always shown. */
  hideable?: boolean;
  /** The title of the row's card on a phone. */
  primary?: boolean;
  edit?: CellEdit<Row>;
};

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
