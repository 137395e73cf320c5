/** The lines of a grid that are in view: virtual, with one or more rows in each. */
import { type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { RowsViewProps } from "./view";

export function useLines<Row extends object>(
  { rows, state }: RowsViewProps<Row>,
  viewport: RefObject<HTMLElement | null>,
  given: {
    /** The number of rows. */
    count: number;
    /** How many rows are in a line. */
    perLine?: number;
    height: number;
    overscan: number;
    paddingStart?: number;
    scrollPaddingEnd?: number;
    rangeExtractor?: (range: Range) => number[];
    /** For lines that are taller than that where their content asks for it. */
    measureElement?: (line: Element) => number;
  },
) {
  const { count, perLine = 1, height, ...options } = given;
  const virtual = useVirtualizer({
    count: Math.ceil(count / perLine),
    getScrollElement: () => viewport.current,
    estimateSize: () => height,
    ...options,
  });
  const items = virtual.getVirtualItems();
  const first = (items[0]?.index ?? 0) * perLine;
  const last = Math.min(count, ((items.at(-1)?.index ?? 0) + 1) * perLine) - 1;
  const { onView } = rows;
  useEffect(() => onView(first, Math.max(first, last)), [onView, first, last]);
  // Rows that are drawn keep their place by the height that they had.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is measured again
  useLayoutEffect(() => virtual.measure(), [virtual, height]);
  useScrollUp(viewport, JSON.stringify(state.params));
  return { virtual, items };
}

/** Another page, order or filter shows another list: scroll to its top. */
function useScrollUp(viewport: RefObject<HTMLElement | null>, list: string) {
  const last = useRef(list);
  useLayoutEffect(() => {
    if (last.current === list) return;
    last.current = list;
    if (viewport.current) viewport.current.scrollTop = 0;
  }, [viewport, list]);
}
