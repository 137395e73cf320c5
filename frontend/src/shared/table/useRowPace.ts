/** A few new rows at a time: however many come into view at once, no frame is a long one. */
import { useEffect, useLayoutEffect, useReducer, useRef } from "react";
import type { RowId } from "./column";

/** Rows drawn anew in one frame. Scrolling by wheel brings fewer; the rest waits its turn. */
export const ROWS_A_FRAME = 6;
const FRAME_MS = 16;

/**
 * Which of the rows in view are drawn whole; the others are drawn as waiting, and follow frame by
 * frame. The first sight of a list comes at once, and so does the row that has the focus.
 */
export function useRowPace(view: {
  /** Another search, order or page is another list. */
  list: string;
  /** Rows of an older list are shown. */
  stale: boolean;
  /** The rows in view from above; null where one is not fetched yet. */
  rows: readonly (RowId | null)[];
  focused: RowId | null;
}): ReadonlySet<RowId> {
  const { list, stale, rows, focused } = view;
  const [, drawMore] = useReducer((times: number) => times + 1, 0);
  const held = useRef<ReadonlySet<RowId>>(new Set());
  /** The list whose rows have been seen. */
  const seen = useRef<string | null>(null);

  const paced = seen.current === list;
  const drawn = new Set<RowId>();
  let added = 0;
  let left = 0;
  for (const id of rows) {
    if (id === null) continue;
    if (held.current.has(id) || id === focused || !paced) drawn.add(id);
    else if (added < ROWS_A_FRAME) {
      drawn.add(id);
      added += 1;
    } else left += 1;
  }

  useLayoutEffect(() => {
    held.current = drawn;
    if (stale) seen.current = null;
    else if (drawn.size > 0) seen.current = list;
  });
  const waiting = left > 0;
  // At every drawing: each of them leaves fewer.
  useEffect(() => {
    if (!waiting) return;
    const timer = window.setTimeout(drawMore, FRAME_MS);
    return () => window.clearTimeout(timer);
  });
  return drawn;
}
