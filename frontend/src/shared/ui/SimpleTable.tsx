import { clsx } from "clsx";
import type { ReactNode } from "react";
import { PlainButton } from "./Button";

export type SimpleColumn<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  align?: "end";
  /** Takes the remaining width. */
  grow?: boolean;
  /** What its head sorts by. */
  sort?: string;
};

/**
 * A small read-only table, as in dialogs and drawers: all rows are rendered, the head is sticky.
 */
export function SimpleTable<Row>(props: {
  /** The table's name, for screen readers. */
  caption: string;
  columns: readonly SimpleColumn<Row>[];
  rows: readonly Row[];
  getKey: (row: Row, index: number) => string | number;
  /** Beyond this height the table scrolls. */
  maxHeight?: "md" | "none";
  /** What the rows are sorted by; with a minus the largest first. */
  order?: string;
  onOrder?: (order: string) => void;
}) {
  const { caption, columns, rows, getKey, maxHeight = "md", order, onOrder } = props;
  return (
    <section
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
      tabIndex={0}
      className={clsx(
        "overflow-auto rounded-control border border-line",
        maxHeight === "md" && "max-h-96",
      )}
    >
      <table className="w-full border-separate border-spacing-0 text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                aria-sort={sortOf(column, order)}
                className={clsx(
                  "sticky top-0 whitespace-nowrap border-line border-b bg-sunken px-2 py-2 sm:px-3 font-medium text-muted text-xs",
                  column.align === "end" ? "text-right" : "text-left",
                  column.grow && "w-full",
                )}
              >
                {column.sort !== undefined && onOrder ? (
                  <PlainButton onClick={() => onOrder(nextOrder(column.sort ?? "", order))}>
                    {column.header}
                    <span aria-hidden="true" className="inline-block w-3">
                      {arrows[sortOf(column, order) ?? "none"]}
                    </span>
                  </PlainButton>
                ) : (
                  column.header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={getKey(row, index)} className="group">
              {columns.map((column) => (
                <td
                  key={column.header}
                  className={clsx(
                    "border-line border-b px-2 py-1.5 align-middle sm:px-3 group-last:border-b-0",
                    column.align === "end" && "whitespace-nowrap text-right tabular-nums",
                  )}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const arrows = { ascending: "↑", descending: "↓", none: "" };

function sortOf({ sort }: { sort?: string }, order?: string) {
  if (sort === undefined || order?.replace("-", "") !== sort) return undefined;
  return order.startsWith("-") ? "descending" : "ascending";
}

/** The largest first, then the smallest. */
const nextOrder = (sort: string, order?: string) => (order === `-${sort}` ? sort : `-${sort}`);
