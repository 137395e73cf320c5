/** Columns moved by dragging their heads, among those of the same side. */
import { type MouseEvent, type PointerEvent, useRef, useState } from "react";
import type { ColumnLayout, HeadLayout } from "./useColumns";

/** Pixels before a press becomes a drag. */
const SLACK = 6;

type Head = { id: string; left: number; right: number };
type Held = { id: string; from: number; heads: Head[]; moving: boolean };
/** Where the column would go: `edge` is in pixels from the head row's left. */
export type Drop = { id: string; to: string; edge: number };

/** Where a column lands when the pointer is at `x`; null where it stays. Pure. */
export function dropAt(heads: readonly Head[], id: string, x: number) {
  const own = heads.findIndex((head) => head.id === id);
  const middle = ({ left, right }: Head) => (left + right) / 2;
  const after = heads.findLast((head, index) => index > own && x > middle(head));
  if (after) return { to: after.id, edge: after.right };
  const before = heads.find((head, index) => index < own && x < middle(head));
  return before ? { to: before.id, edge: before.left } : null;
}

export function useColumnDrag<Row>(layout: ColumnLayout<Row>, say: (text: string) => void) {
  const held = useRef<Held | null>(null);
  const dragged = useRef(false);
  const [drop, setDrop] = useState<Drop | null>(null);

  const headProps = (id: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      dragged.current = false;
      // A finger scrolls; fingers move columns in the chooser.
      if (event.button !== 0 || event.pointerType === "touch") return;
      const row = event.currentTarget.parentElement;
      const side = layout.shown.find(({ column }) => column.id === id)?.side;
      const beside = layout.shown.filter((one) => one.side === side);
      const heads = [...(row?.querySelectorAll<HTMLElement>("[data-column]") ?? [])].flatMap(
        (head) => {
          const name = head.dataset.column ?? "";
          if (!beside.some(({ column }) => column.id === name)) return [];
          const { left, right } = head.getBoundingClientRect();
          return [{ id: name, left, right }];
        },
      );
      held.current = { id, from: event.clientX, heads, moving: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const now = held.current;
      if (!now) return;
      if (!now.moving && Math.abs(event.clientX - now.from) < SLACK) return;
      if (!now.moving) event.currentTarget.setPointerCapture(event.pointerId);
      now.moving = true;
      const found = dropAt(now.heads, now.id, event.clientX);
      const origin = event.currentTarget.parentElement?.getBoundingClientRect().left ?? 0;
      setDrop(found && { id: now.id, to: found.to, edge: found.edge - origin });
    },
    onPointerUp: () => {
      dragged.current = held.current?.moving ?? false;
      held.current = null;
      setDrop(null);
      if (drop) moveColumn(layout, drop.id, drop.to, say);
    },
    onPointerCancel: () => {
      held.current = null;
      setDrop(null);
    },
    /** The click that ends a drag sorts nothing. */
    onClickCapture: (event: MouseEvent) => {
      if (dragged.current) event.stopPropagation();
      dragged.current = false;
    },
  });
  return { drop, headProps };
}

/** Moves a column and tells it. */
export function moveColumn(
  layout: Pick<HeadLayout, "all" | "move">,
  id: string,
  to: string,
  say: (text: string) => void,
): void {
  const named = (name: string) =>
    layout.all.find(({ column }) => column.id === name)?.column.header;
  const order = layout.all.map(({ column }) => column.id);
  const where = order.indexOf(id) < order.indexOf(to) ? "behind" : "before";
  layout.move(id, to);
  say(`${named(id)} moved ${where} ${named(to)}`);
}

/** Moves a shown column by one place among those of its side; for keys. */
export function stepColumn<Row>(
  layout: ColumnLayout<Row>,
  id: string,
  by: 1 | -1,
  say: (text: string) => void,
): void {
  const own = layout.shown.find(({ column }) => column.id === id);
  const beside = layout.shown.filter(({ side }) => side === own?.side);
  const next = beside[beside.findIndex(({ column }) => column.id === id) + by];
  if (own && next) moveColumn(layout, id, next.column.id, say);
}
