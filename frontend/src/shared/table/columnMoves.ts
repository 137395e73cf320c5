/** Moves columns by keys and by dragging. */
import type { HeadLayout } from "./useGridTable";

/** Moves a column and announces it. */
export function moveColumn(
  layout: Pick<HeadLayout, "all" | "move">,
  id: string,
  to: string,
  say: (text: string) => void,
): void {
  const named = (name: string) =>
    layout.all.find((column) => column.id === name)?.columnDef.meta.header;
  const order = layout.all.map((column) => column.id);
  const where = order.indexOf(id) < order.indexOf(to) ? "behind" : "before";
  layout.move(id, to);
  say(`${named(id)} moved ${where} ${named(to)}`);
}

/** The visible columns on the same side: a column can be moved only among these. */
export function columnsBeside({ shown }: Pick<HeadLayout, "shown">, id: string): string[] {
  const side = shown.find((column) => column.id === id)?.getIsPinned();
  return shown.filter((column) => column.getIsPinned() === side).map((column) => column.id);
}

export type HeadEdges = { id: string; left: number; right: number };

/** The new position of a column when the pointer is at `x`; null where it stays. Pure. */
export function dropAt(heads: readonly HeadEdges[], id: string, x: number) {
  const own = heads.findIndex((head) => head.id === id);
  const middle = ({ left, right }: HeadEdges) => (left + right) / 2;
  const after = heads.findLast((head, index) => index > own && x > middle(head));
  if (after) return { to: after.id, edge: after.right };
  const before = heads.find((head, index) => index < own && x < middle(head));
  return before ? { to: before.id, edge: before.left } : null;
}
