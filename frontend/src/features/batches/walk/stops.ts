/** The stops of a walk: a bin each, in the order that they are passed. */
import type { BatchItem } from "../model";

export type Stop = { locationId: number; name: string; items: BatchItem[]; pieces: number };

/** Bins with what goes into them, as they come (by name in natural order), and what has no bin. */
export function stopsOf(items: readonly BatchItem[]): { stops: Stop[]; homeless: BatchItem[] } {
  const stops = new Map<number, Stop>();
  const homeless: BatchItem[] = [];
  for (const item of items) {
    const id = item.user_inventory_item_location_id;
    if (item.qty === 0) continue;
    if (id === null) {
      homeless.push(item);
      continue;
    }
    const stop = stops.get(id) ?? {
      locationId: id,
      name: item.user_inventory_item_location_name ?? "",
      items: [],
      pieces: 0,
    };
    stop.items.push(item);
    stop.pieces += item.qty;
    stops.set(id, stop);
  }
  return { stops: [...stops.values()], homeless };
}
