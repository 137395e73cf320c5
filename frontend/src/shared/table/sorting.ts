/** The order after a click on a column's head. Pure. */
import type { Sort } from "./tableState";

/** Ascending, descending, off. With `add` the other columns keep their order. */
export function nextSorts(sorts: readonly Sort[], field: string, add: boolean): Sort[] {
  const now = sorts.find((sort) => sort.field === field);
  const next: Sort[] = !now
    ? [{ field, direction: "asc" }]
    : now.direction === "asc"
      ? [{ field, direction: "desc" }]
      : [];
  if (!add) return next;
  if (!now) return [...sorts, ...next];
  return sorts.flatMap((sort) => (sort.field === field ? next : [sort]));
}
