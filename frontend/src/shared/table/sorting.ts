/** The order after a click on a column's head. Pure. */
import type { Sort } from "./tableState";

/** Ascending, descending, off; descending before ascending if `first` says so. With `add` the
 * other columns keep their order. */
export function nextSorts(
  sorts: readonly Sort[],
  field: string,
  add: boolean,
  first: Sort["direction"] = "asc",
): Sort[] {
  const now = sorts.find((sort) => sort.field === field);
  const next: Sort[] = !now
    ? [{ field, direction: first }]
    : now.direction === first
      ? [{ field, direction: first === "asc" ? "desc" : "asc" }]
      : [];
  if (!add) return next;
  if (!now) return [...sorts, ...next];
  return sorts.flatMap((sort) => (sort.field === field ? next : [sort]));
}
