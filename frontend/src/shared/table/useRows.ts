/** The rows of a table: one page, or all of them fetched as they come into view. */
import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { ListAnswer, RowSource } from "./column";
import { ALL_CHUNK, type TableState } from "./tableState";

export type Rows<Row> = {
  state: "loading" | "failed" | "ready";
  error: unknown;
  retry: () => void;
  /** True while older rows are shown and newer ones are on their way. */
  stale: boolean;
  /** Rows there are at the server under the current search and filters. */
  total: number;
  /** Rows to draw in this view: of the page, or all. */
  count: number;
  /** The row at a place of this view; undefined while it is being fetched. */
  rowAt: (index: number) => Row | undefined;
  loaded: Row[];
  /** Told by the virtualiser what is in view. */
  onView: (first: number, last: number) => void;
};

export function useRows<Row>(source: RowSource<Row>, table: TableState): Rows<Row> {
  const all = table.pageSize === "all";
  const { params } = table;
  // Chunks, not rows: scrolling inside a chunk changes nothing here.
  const [view, setView] = useState({ first: 0, last: 0 });

  const page = useQuery({
    queryKey: [...source.key, params],
    queryFn: ({ signal }) => source.fetch(params, signal),
    placeholderData: keepPreviousData,
  });
  const total = page.data?.pagination?.total_items ?? page.data?.data.length ?? 0;

  // The first chunk of "all" is the page itself; here are the others that are in view.
  const lastChunk = Math.min(view.last, Math.floor(Math.max(0, total - 1) / ALL_CHUNK));
  const chunks = all ? range(Math.max(1, view.first), lastChunk) : [];
  const others = useQueries({
    queries: chunks.map((chunk) => {
      const chunkParams = { ...params, page: chunk + 1 };
      return {
        queryKey: [...source.key, chunkParams],
        queryFn: ({ signal }: { signal: AbortSignal }) => source.fetch(chunkParams, signal),
      };
    }),
    combine: together<Row>,
  });

  // The page is gone with its rows (deleted, or a link of old): back to the first.
  const gone = (page.error as { status?: number } | null)?.status === 404 && table.pageIndex > 0;
  const { setPageIndex } = table;
  useEffect(() => {
    if (gone) setPageIndex(0);
  }, [gone, setPageIndex]);

  const firstPage = page.data;
  const loaded = useMemo(
    () => [firstPage, ...others.answers].flatMap((answer) => answer?.data ?? []),
    [firstPage, others.answers],
  );
  const failed = page.isError ? page : others.failed;
  const onView = useCallback((firstRow: number, lastRow: number) => {
    const first = Math.floor(firstRow / ALL_CHUNK);
    const last = Math.floor(lastRow / ALL_CHUNK);
    setView((now) => (now.first === first && now.last === last ? now : { first, last }));
  }, []);

  return {
    state: page.data ? "ready" : page.isError ? "failed" : "loading",
    error: failed?.error,
    retry: () => void (failed ?? page).refetch(),
    stale: page.isPlaceholderData,
    total,
    count: all ? total : (page.data?.data.length ?? 0),
    rowAt: (index) => {
      const chunk = all ? Math.floor(index / ALL_CHUNK) : 0;
      const answer = chunk === 0 ? firstPage : others.answers[chunks.indexOf(chunk)];
      return answer?.data[all ? index % ALL_CHUNK : index];
    },
    loaded,
    onView,
  };
}

/** The other chunks as one value, which stays the same while none of them changes. */
function together<Row>(queries: UseQueryResult<ListAnswer<Row>>[]) {
  return {
    answers: queries.map((query) => query.data),
    failed: queries.find((query) => query.isError),
  };
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step);
}
