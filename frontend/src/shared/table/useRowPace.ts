/** Renders a few new rows at a time, so that no frame takes long. */
import { useEffect, useLayoutEffect, useReducer, useRef } from "react";
import type { RowId } from "./column";

/** New rows in one frame. Scrolling by wheel brings fewer; the others wait for the next frame. */
export const ROWS_A_FRAME = 6;
const FRAME_MS = 16;

/**
 * Which visible rows are rendered; the others are drawn as loading and follow frame by frame. The
 * first view of a list is rendered at once, and so is the row with the focus.
 */
export function useRowPace(view: {
  /** Changes with another search, order or page: another list. */
  list: string;
  /** Rows of the previous list are still shown. */
  stale: boolean;
  /** The visible rows from the top; null where one is not loaded yet. */
  rows: readonly (RowId | null)[];
  focused: RowId | null;
}): ReadonlySet<RowId> {
  const { list, stale, rows, focused } = view;
  const [, drawMore] = useReducer((times: number) => times + 1, 0);
  const held = useRef<ReadonlySet<RowId>>(new Set());
  /** The list whose rows have been rendered. */
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
  // On every render: each of them reduces the number of waiting rows.
  useEffect(() => {
    if (!waiting) return;
    const timer = window.setTimeout(drawMore, FRAME_MS);
    return () => window.clearTimeout(timer);
  });
  return drawn;
}
