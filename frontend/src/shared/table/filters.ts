/** The filters of columns: their parameters, and texts for the active ones. Pure. */
import type { ColumnFilter, ColumnHead } from "./column";

/** The list endpoint's parameters that a filter sets. */
export function paramsOf(filter: ColumnFilter | undefined): string[] {
  if (!filter) return [];
  if (filter.kind === "text" || filter.kind === "choice") return [filter.param];
  return [filter.from, filter.to].filter((name) => name !== undefined);
}

export type ActiveFilter = { id: string; text: string; params: string[] };

/** The active column filters, one entry a column: "Quantity from 5 to 10". */
export function activeFilters(
  columns: readonly ColumnHead[],
  filters: Readonly<Record<string, string>>,
): ActiveFilter[] {
  return columns.flatMap(({ id, header, filter }) => {
    const params = paramsOf(filter);
    if (!filter || params.every((name) => !filters[name])) return [];
    return [{ id, text: `${header} ${wordsOf(filter, filters)}`, params }];
  });
}

function wordsOf(filter: ColumnFilter, filters: Readonly<Record<string, string>>): string {
  if (filter.kind === "text") return `has “${filters[filter.param]}”`;
  if (filter.kind === "choice") {
    const value = filters[filter.param];
    return `is ${filter.options.find((option) => option.value === value)?.label ?? value}`;
  }
  const [from, to] = [filter.from && filters[filter.from], filter.to && filters[filter.to]];
  return [from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(" ");
}
