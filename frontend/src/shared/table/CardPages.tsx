import { type ReactNode, useEffect } from "react";
import { formatCount } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { ErrorState, Loading } from "@/shared/ui/states";
import type { ListAnswer } from "./column";
import type { TableState } from "./tableState";

/** A list as cards, a page at a time: the other view of a table, with the same state. */
export function CardPages<Row>(props: {
  table: TableState;
  query: {
    data: ListAnswer<Row> | undefined;
    error: unknown;
    isPending: boolean;
    refetch: () => unknown;
  };
  pageSize: number;
  /** What is listed: "sets". */
  what: string;
  /** The classes of its columns. */
  className: string;
  empty: ReactNode;
  children: (row: Row) => ReactNode;
}) {
  const { table, query, pageSize, what } = props;
  const total = query.data?.pagination?.total_items ?? 0;
  // Its last row was removed, or the link is old: back to the last page that there is.
  const isPastEnd = query.data?.data.length === 0 && total > 0 && table.pageIndex > 0;
  const { setPageIndex } = table;
  const last = Math.ceil(total / pageSize) - 1;
  useEffect(() => {
    if (isPastEnd) setPageIndex(last);
  }, [isPastEnd, setPageIndex, last]);
  return (
    <>
      {query.isPending && <Loading />}
      {query.error !== null && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data?.data.length === 0 && !isPastEnd && props.empty}
      {query.data && query.data.data.length > 0 && (
        <ul aria-label={what} className={`grid gap-4 ${props.className}`}>
          {query.data.data.map(props.children)}
        </ul>
      )}
      {total > pageSize && (
        <nav
          aria-label={`Pages of ${what}`}
          className="flex flex-wrap items-center justify-end gap-2 text-sm"
        >
          <span className="text-muted">
            Page {formatCount(table.pageIndex + 1)} of {formatCount(Math.ceil(total / pageSize))},{" "}
            {formatCount(total)} {what}
          </span>
          <Button
            size="sm"
            disabledReason={table.pageIndex === 0 && "This is the first page"}
            onClick={() => table.setPageIndex(table.pageIndex - 1)}
          >
            Previous
          </Button>
          <Button
            size="sm"
            disabledReason={(table.pageIndex + 1) * pageSize >= total && "This is the last page"}
            onClick={() => table.setPageIndex(table.pageIndex + 1)}
          >
            Next
          </Button>
        </nav>
      )}
    </>
  );
}
