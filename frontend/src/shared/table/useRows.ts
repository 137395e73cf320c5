/** The rows of a table: one page, or all of them in chunks as they are scrolled into view. */

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { memberOf } from "@/shared/lib/records";
import type { ListAnswer, ListParams, RowSource } from "./column";
import { ALL_CHUNK, type TableState } from "./tableState";

const SLOTS = 3;
/** Rows fetched beyond the visible ones. */
const AHEAD = 30;
/**
 * Chunks that leave the view in less time than the last answer took are not fetched. That time is
 * kept within these limits.
 */
const PASSING_MS = { least: 100, most: 300 };
/**
 * How long chunks out of view are cached: enough to scroll back, and short enough to limit memory.
 */
const KEPT_MS = 20_000;

export type Rows<Row> = {
  state: "loading" | "failed" | "ready";
  error: unknown;
  retry: () => void;
  /** The error because of which some visible rows are missing. */
  partError: unknown;
  /** True while older rows are shown and newer ones are loading. */
  stale: boolean;
  /** The number of rows on the server for the current search and filters. */
  total: number;
  /** The number of rows in this view: of the page, or all. */
  count: number;
  /** The number of rows of the whole list before this view. */
  offset: number;
  /** The loaded rows; the same array while they are the same. */
  data: readonly Row[];
  /** The place in `data` of the row at a position of this view; -1 while it is loading. */
  placeOf: (index: number) => number;
  /** The row at a position of this view; undefined while it is loading. */
  rowAt: (index: number) => Row | undefined;
  /** The rows from one position to another, both included; fetches those that are not loaded. */
  between: (first: number, last: number) => Promise<Row[]>;
  /** The virtualiser reports the visible range here. */
  onView: (first: number, last: number) => void;
};

export function useRows<Row>(source: RowSource<Row>, table: TableState): Rows<Row> {
  const { params, pageSize, pageIndex, setPageIndex } = table;
  const all = pageSize === "all";
  const client = useQueryClient();
  const { view, onView, onAnswer } = useChunksInView();
  const fetchTimed = async (asked: ListParams, signal: AbortSignal) => {
    const began = performance.now();
    const answer = await source.fetch(asked, signal);
    onAnswer(performance.now() - began);
    return answer;
  };

  const page = useQuery({
    queryKey: [...source.key, params],
    queryFn: ({ signal }) => fetchTimed(params, signal),
    placeholderData: keepPreviousData,
  });
  const firstPage = page.data;
  const total = firstPage?.pagination?.total_items ?? firstPage?.data.length ?? 0;

  // The first chunk of "all" is the page itself; these are the other visible chunks. Chunks that
  // leave the view before they are loaded are cancelled, since no observer is left.
  const chunkQuery = (chunk: number) => {
    const chunkParams = { ...params, page: chunk + 1 };
    return {
      queryKey: [...source.key, chunkParams] as const,
      queryFn: ({ signal }: { signal: AbortSignal }) => fetchTimed(chunkParams, signal),
      gcTime: KEPT_MS,
    };
  };
  const lastChunk = Math.min(view.last, Math.floor(Math.max(0, total - 1) / ALL_CHUNK));
  const first = Math.max(1, view.first);
  const inView = (chunk: number) => all && chunk >= first && chunk <= lastChunk;
  const chunkOf = (slot: number) => first + ((slot - (first % SLOTS) + SLOTS) % SLOTS);
  const slotQuery = (slot: number) => ({
    ...chunkQuery(chunkOf(slot)),
    enabled: inView(chunkOf(slot)) && !page.isPlaceholderData,
  });
  // Three chunks cover the tallest window; a chunk keeps its slot while it is in view.
  const slots = [useQuery(slotQuery(0)), useQuery(slotQuery(1)), useQuery(slotQuery(2))];
  const others = slots.filter((_, slot) => inView(chunkOf(slot)));

  // The page no longer exists (rows were deleted, or the link is old): back to the first.
  const gone = memberOf(page.error, "status") === 404 && pageIndex > 0;
  useEffect(() => {
    if (gone) setPageIndex(0);
  }, [gone, setPageIndex]);

  const failed = page.isError ? page : others.find((query) => query.isError);
  const [one, two, three] = slots.map(({ data }) => data);
  const { data, placeOf } = useMemo(() => {
    const chunks = all && firstPage ? range(first, Math.min(lastChunk, first + SLOTS - 1)) : [];
    const answers = [one, two, three];
    return windowOf<Row>([
      { first: 0, rows: firstPage?.data ?? [] },
      ...chunks.map((chunk) => ({
        first: chunk * ALL_CHUNK,
        rows: answers[chunk % SLOTS]?.data ?? [],
      })),
    ]);
  }, [all, firstPage, one, two, three, first, lastChunk]);
  const rowAt = (index: number) => data[placeOf(index)];

  return {
    state: firstPage ? "ready" : page.isError ? "failed" : "loading",
    error: failed?.error,
    retry: () => void (failed ?? page).refetch(),
    partError: firstPage ? (failed?.error ?? null) : null,
    stale: page.isPlaceholderData,
    total,
    count: all ? total : (firstPage?.data.length ?? 0),
    offset: all ? 0 : pageIndex * pageSize,
    data,
    placeOf,
    rowAt,
    between: async (from, to) => {
      const places = range(Math.max(0, from), to);
      const held = places.map(rowAt);
      if (!all || held.every((row) => row !== undefined)) {
        return held.filter((row) => row !== undefined);
      }
      const found: Row[] = [];
      const wanted = range(Math.floor(from / ALL_CHUNK), Math.floor(to / ALL_CHUNK));
      for (const chunk of wanted) {
        const answer: ListAnswer<Row> = await client.query({
          ...chunkQuery(chunk),
          staleTime: KEPT_MS,
        });
        const start = chunk * ALL_CHUNK;
        found.push(...answer.data.slice(Math.max(0, from - start), to - start + 1));
      }
      return found;
    },
    onView,
  };
}

/** The loaded rows one after the other, and where a row of the view is among them. */
function windowOf<Row>(blocks: readonly { first: number; rows: readonly Row[] }[]) {
  const data: Row[] = [];
  const starts = blocks.map(({ first, rows }) => {
    const start = { first, last: first + rows.length - 1, shift: data.length - first };
    data.push(...rows);
    return start;
  });
  const placeOf = (index: number) => {
    const block = starts.find(({ first, last }) => index >= first && index <= last);
    return block ? index + block.shift : -1;
  };
  return { data, placeOf };
}

/** The chunks to fetch, not rows: scrolling inside a chunk changes nothing here. */
function useChunksInView() {
  const [view, setView] = useState({ first: 0, last: 0 });
  const wanted = useRef(view);
  const changed = useRef(Number.NEGATIVE_INFINITY);
  const timer = useRef(0);
  const passingMs = useRef(PASSING_MS.least);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const onView = useCallback((firstRow: number, lastRow: number) => {
    const next = {
      first: Math.floor(Math.max(0, firstRow - AHEAD) / ALL_CHUNK),
      last: Math.floor((lastRow + AHEAD) / ALL_CHUNK),
    };
    if (next.first === wanted.current.first && next.last === wanted.current.last) return;
    wanted.current = next;
    const now = performance.now();
    const passing = now - changed.current < passingMs.current;
    changed.current = now;
    window.clearTimeout(timer.current);
    if (!passing) setView(next);
    else timer.current = window.setTimeout(() => setView(wanted.current), passingMs.current);
  }, []);
  const onAnswer = useCallback((tookMs: number) => {
    passingMs.current = Math.min(Math.max(PASSING_MS.least, tookMs), PASSING_MS.most);
  }, []);
  return { view, onView, onAnswer };
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step);
}
