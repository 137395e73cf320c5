/** The state of a table in the address (page, order, search, filters), checked. */
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import * as z from "zod/mini";
import { browserZone } from "@/shared/lib/format";
import type { ColumnFilter, ListParams } from "./column";
import { paramsOf } from "./filters";
import { readTableSettings, writeTableSettings } from "./tableSettings";

export const PAGE_SIZES = [10, 25, 50, 100, 250] as const;
/** Rows of a chunk when all rows are shown and scrolled. */
export const ALL_CHUNK = 100;

const whole = (least: number, message: string) => z.int(message).check(z.minimum(least, message));

export const pageSizeSchema = whole(1, "Page size must be a whole number of at least 1");
export const pageIndexSchema = whole(0, "Page index must be a whole number of at least 0");
export const sortDirectionSchema = z.enum(["asc", "desc"]);
export const syncProgressSchema = z.number().check(z.minimum(0), z.maximum(100));

export type Sort = { field: string; direction: z.infer<typeof sortDirectionSchema> };
export type PageSize = number | "all";

/** Converts "name,-price" to sorts, and back. */
export function readOrdering(ordering: string): Sort[] {
  return ordering.split(",").flatMap((part) => {
    const field = part.replace(/^-/, "");
    return field ? [{ field, direction: part.startsWith("-") ? "desc" : "asc" } as const] : [];
  });
}

export function writeOrdering(sorts: readonly Sort[]): string {
  return sorts
    .map(({ field, direction }) =>
      sortDirectionSchema.parse(direction) === "desc" ? `-${field}` : field,
    )
    .join(",");
}

export type TableState = {
  id: string;
  pageIndex: number;
  pageSize: PageSize;
  sorts: Sort[];
  search: string;
  filters: Record<string, string>;
  /**
   * Whether a search or a filter is on. Without results, the page then does not show the text for
   * an empty list.
   */
  isNarrowed: boolean;
  /** The parameters of the list endpoint; with all rows shown, those of the first chunk. */
  params: ListParams;
  setPageIndex: (index: number) => void;
  setPageSize: (size: PageSize) => void;
  setSorts: (sorts: readonly Sort[]) => void;
  setSearch: (text: string) => void;
  setFilter: (name: string, value: string | null) => void;
  setFilters: (values: Readonly<Record<string, string | null>>) => void;
  clearNarrowing: () => void;
};

/**
 * The state of the table `id`. Page, order, search and the named filters are in the address, so
 * that they can be linked; the page size is stored in this browser. `columns` adds the parameters
 * of their filters to `filters`.
 */
export function useTableState(
  id: string,
  options: {
    filters?: readonly string[];
    columns?: readonly { filter?: ColumnFilter }[];
    ordering?: string;
  } = {},
): TableState {
  const [address, setAddress] = useSearchParams();
  const [pageSize, keepPageSize] = useState<PageSize>(() => readTableSettings(id).pageSize);
  const fromColumns = options.columns?.flatMap(({ filter }) => paramsOf(filter)) ?? [];
  const days = (options.columns ?? [])
    .flatMap(({ filter }) => (filter?.kind === "date" ? paramsOf(filter) : []))
    .join(",");
  const names = [...new Set([...(options.filters ?? []), ...fromColumns])].join(",");

  // The router's own updates start from the last rendered address: of two at once, one would be
  // lost.
  const newest = useRef(address);
  useLayoutEffect(() => {
    newest.current = address;
  }, [address]);
  const change = useCallback(
    (changes: Readonly<Record<string, string | null>>) => {
      const next = new URLSearchParams(newest.current);
      // Every change of the list returns to the first page.
      for (const [name, value] of Object.entries({ page: null, ...changes })) {
        if (value === null || value === "") next.delete(name);
        else next.set(name, value);
      }
      newest.current = next;
      setAddress(next, { replace: true });
    },
    [setAddress],
  );

  return useMemo(() => {
    const dayNames = days ? days.split(",") : [];
    const filterNames = names ? names.split(",") : [];
    const page = Number(address.get("page") ?? 1);
    const pageIndex = Number.isInteger(page) && page >= 1 ? page - 1 : 0;
    const search = address.get("search") ?? "";
    const ordering = address.get("ordering") ?? options.ordering ?? "";
    const filters = Object.fromEntries(
      filterNames.flatMap((name) => {
        const value = address.get(name);
        return value ? [[name, value]] : [];
      }),
    );
    const params: ListParams = {
      page: pageSize === "all" ? 1 : pageIndex + 1,
      page_size: pageSize === "all" ? ALL_CHUNK : pageSize,
      ...(ordering && { ordering }),
      ...(search && { search }),
      ...filters,
      ...(dayNames.some((name) => filters[name]) && { time_zone: browserZone() }),
    };
    return {
      id,
      pageIndex,
      pageSize,
      sorts: readOrdering(ordering),
      search,
      filters,
      isNarrowed: search !== "" || Object.keys(filters).length > 0,
      params,
      setPageIndex: (index) =>
        change({ page: pageIndexSchema.parse(index) === 0 ? null : String(index + 1) }),
      setPageSize: (size) => {
        if (size !== "all") pageSizeSchema.parse(size);
        writeTableSettings(id, { pageSize: size });
        keepPageSize(size);
        change({});
      },
      setSorts: (sorts) => change({ ordering: writeOrdering(sorts) }),
      setSearch: (text) => change({ search: text.trim() }),
      setFilter: (name, value) => change({ [name]: value }),
      setFilters: change,
      clearNarrowing: () =>
        change(Object.fromEntries(["search", ...filterNames].map((name) => [name, null]))),
    };
  }, [id, address, change, names, days, options.ordering, pageSize]);
}
