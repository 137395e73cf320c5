import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useIsPhone } from "@/shared/lib/useIsPhone";
import { PlainButton } from "./Button";
import { ChoiceField } from "./Field";

export type SimpleColumn<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  align?: "end";
  /** Takes the remaining width. */
  grow?: boolean;
  /** What its head sorts by. */
  sort?: string;
  /** On a phone, where many columns become two lines: beside the name, without its head, or nowhere. */
  phone?: "first" | "plain" | "none";
};

/** More columns than a phone is wide: each row becomes two lines there. */
const MOST_ON_A_PHONE = 4;

type SimpleTableProps<Row> = {
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
};

/**
 * A small read-only table, as in dialogs and drawers: all rows are rendered, the head is sticky.
 */
export function SimpleTable<Row>(props: SimpleTableProps<Row>) {
  const isPhone = useIsPhone();
  return isPhone && props.columns.length > MOST_ON_A_PHONE ? (
    <TwoLines {...props} />
  ) : (
    <Wide {...props} />
  );
}

function Wide<Row>(props: SimpleTableProps<Row>) {
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

/** Each row in two lines: its name beside the figure that counts, and below them the rest with their heads. */
function TwoLines<Row>(props: SimpleTableProps<Row>) {
  const { caption, columns, rows, getKey, maxHeight = "md", order, onOrder } = props;
  const name = columns.find(({ grow }) => grow) ?? columns[0];
  const before = columns.slice(0, name ? columns.indexOf(name) : 0);
  const first = columns.filter(({ phone }) => phone === "first");
  const others = columns.filter(
    (column) =>
      column !== name &&
      !before.includes(column) &&
      !first.includes(column) &&
      column.phone !== "none",
  );
  return (
    <div className="flex flex-col gap-2">
      {onOrder && <Order {...{ columns, order, onOrder }} />}
      <ul
        aria-label={caption}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        tabIndex={0}
        className={clsx(
          "divide-y divide-line overflow-y-auto rounded-control border border-line text-sm",
          maxHeight === "md" && "max-h-96",
        )}
      >
        {rows.map((row, index) => (
          <li key={getKey(row, index)} className="flex items-start gap-2.5 px-3 py-2">
            {before.map((column) => (
              <span key={column.header}>{column.cell(row)}</span>
            ))}
            <div className="min-w-0 flex-1">
              <div className="flex items-baseline justify-between gap-3 font-medium">
                <div className="wrap-anywhere min-w-0">{name?.cell(row)}</div>
                {first.map((column) => (
                  <div key={column.header} className="shrink-0 tabular-nums">
                    {column.cell(row)}
                  </div>
                ))}
              </div>
              <div className="mt-0.5 flex flex-wrap items-baseline gap-x-3 text-xs tabular-nums">
                {others.map((column) => (
                  <span key={column.header} className="inline-flex max-w-full items-baseline gap-1">
                    {column.phone !== "plain" && (
                      <span className="text-muted">{column.header.replace(/, [A-Z]{3}$/, "")}</span>
                    )}
                    {column.cell(row)}
                  </span>
                ))}
              </div>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What heads sort by, where there are no heads. */
function Order<Row>(props: {
  columns: readonly SimpleColumn<Row>[];
  order: string | undefined;
  onOrder: (order: string) => void;
}) {
  const options = props.columns.flatMap(({ header, sort }) =>
    sort === undefined
      ? []
      : [
          { value: `-${sort}`, label: `${header}, largest first` },
          { value: sort, label: `${header}, smallest first` },
        ],
  );
  return (
    <ChoiceField
      label="Sort by"
      value={props.order}
      options={options}
      onChange={(next) => props.onOrder(next)}
    />
  );
}
