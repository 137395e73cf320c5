/**
 * Moves, resizes and fits columns at their heads. Loaded when the pointer or the focus first comes
 * near, and without React: while dragging, only the grid's CSS variables change and no row is
 * rendered.
 */
import { columnsBeside, dropAt, type HeadEdges, moveColumn } from "./columnMoves";
import { type Frame, gridStyle } from "./gridStyle";
import { type HeadLayout, MIN_WIDTH } from "./useGridTable";

const WIDEST_FIT = 640;
/** The padding of a cell, and the extra width of a head beside its name (arrow, rank). */
const CELL_ROOM = 22;
const HEAD_ROOM = 40;
/** Pixels that the pointer moves before a press becomes a drag. */
const SLACK = 6;
/** The change of width for one press of Alt and an arrow. */
const STEP = 10;

export type HeadContext = {
  layout: HeadLayout;
  frame: Frame;
  /** The grid's root, which has the variables. */
  root: HTMLElement;
  say: (text: string) => void;
};
type Widths = Record<string, number>;

const headsOf = (root: HTMLElement) => [...root.querySelectorAll<HTMLElement>("[data-column]")];
const nameOf = (head: HTMLElement) => head.dataset.column ?? "";

/** Follows the pointer until it is lifted or the browser cancels it. */
function follow(
  event: PointerEvent,
  element: HTMLElement,
  moved: (x: number) => void,
  ended: (kept: boolean) => void,
): void {
  const end = new AbortController();
  const { signal } = end;
  const finish = (kept: boolean): void => {
    end.abort();
    ended(kept);
  };
  element.addEventListener("pointermove", ({ clientX }) => moved(clientX), { signal });
  element.addEventListener("pointerup", () => finish(true), { signal });
  element.addEventListener("pointercancel", () => finish(false), { signal });
  // The pointer was lifted while this code was loading: nothing is dragged.
  if (!captured(element, event.pointerId)) finish(false);
}

function captured(element: HTMLElement, pointer: number): boolean {
  try {
    element.setPointerCapture(pointer);
    return element.hasPointerCapture(pointer);
  } catch {
    return false;
  }
}

/** Columns may be stretched: use their real width from here on. */
const drawnWidths = (root: HTMLElement): Widths =>
  Object.fromEntries(headsOf(root).map((head) => [nameOf(head), head.offsetWidth]));

/** Drags the edge of a column; the width is stored when the pointer is lifted. */
export function dragEdge(
  event: PointerEvent,
  handle: HTMLElement,
  id: string,
  context: HeadContext,
): void {
  const { layout, frame, root } = context;
  const before = drawnWidths(root);
  const from = event.clientX;
  let widths = before;
  const show = () => {
    for (const [name, value] of Object.entries(gridStyle(layout.shown, frame, widths))) {
      root.style.setProperty(name, value);
    }
  };
  follow(
    event,
    handle,
    (x) => {
      const width = Math.max(MIN_WIDTH, Math.round((before[id] ?? MIN_WIDTH) + x - from));
      widths = { ...before, [id]: width };
      show();
    },
    (kept) => {
      const changed = kept && widths[id] !== before[id];
      if (!changed) widths = {};
      show();
      if (changed) layout.setWidths(widths);
    },
  );
}

/** Drags a head to another place; a mark shows its new place. */
export function dragHead(
  event: PointerEvent,
  head: HTMLElement,
  id: string,
  context: HeadContext,
): void {
  const { layout, root, say } = context;
  const row = head.parentElement;
  if (!row) return;
  const beside = columnsBeside(layout, id);
  const edges: HeadEdges[] = headsOf(root)
    .filter((one) => beside.includes(nameOf(one)))
    .map((one) => {
      const { left, right } = one.getBoundingClientRect();
      return { id: nameOf(one), left, right };
    });
  const origin = row.getBoundingClientRect().left;
  const mark = document.createElement("div");
  mark.setAttribute("aria-hidden", "true");
  mark.className = "pointer-events-none absolute inset-y-0 z-[2] w-0.5 bg-accent";
  let drop: { to: string; edge: number } | null = null;
  let moving = false;
  follow(
    event,
    head,
    (x) => {
      moving ||= Math.abs(x - event.clientX) >= SLACK;
      if (!moving) return;
      drop = dropAt(edges, id, x);
      if (drop) {
        mark.style.left = `${drop.edge - origin - 1}px`;
        row.append(mark);
      } else mark.remove();
    },
    (kept) => {
      mark.remove();
      if (!moving || !kept) return;
      // The click at the end of a drag does not sort.
      const swallow = (click: Event) => click.stopPropagation();
      head.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => head.removeEventListener("click", swallow, { capture: true }));
      if (drop) moveColumn(layout, id, drop.to, say);
    },
  );
}

/** Makes a column as wide as its widest visible cell. */
export function fitColumn(id: string, context: HeadContext): void {
  const { layout, root } = context;
  const head = headsOf(root).find((one) => nameOf(one) === id);
  const at = head?.dataset.cell?.split(":")[1];
  if (!head || at === undefined) return;
  const before = drawnWidths(root);
  const contents = [...root.querySelectorAll<HTMLElement>(`[data-cell$=":${at}"] > :first-child`)];
  const kept = contents.map((one) => one.style.cssText);
  for (const one of contents) one.style.cssText = "flex:none;width:max-content;max-width:none";
  const widths = contents.map((one) =>
    Math.ceil(one.getBoundingClientRect().width + (head.contains(one) ? HEAD_ROOM : CELL_ROOM)),
  );
  contents.forEach((one, index) => {
    one.style.cssText = kept[index] ?? "";
  });
  const fitting = Math.min(WIDEST_FIT, Math.max(MIN_WIDTH, ...widths));
  layout.setWidths({ ...before, [id]: fitting });
}

/** Alt and arrows: wider or narrower; with Shift: one place left or right. */
export function pressArrow(by: 1 | -1, move: boolean, id: string, context: HeadContext): void {
  const { layout, say } = context;
  if (move) {
    const beside = columnsBeside(layout, id);
    const to = beside[beside.indexOf(id) + by];
    if (to) moveColumn(layout, id, to, say);
    return;
  }
  const width = layout.shown.find((column) => column.id === id)?.getSize();
  if (width !== undefined) layout.setWidths({ [id]: width + by * STEP });
}
