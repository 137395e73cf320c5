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

/** The stop where the walk is: the first that was not put off; put off ones come last. */
export function currentOf(stops: readonly Stop[], putOff: readonly number[]): Stop | null {
  const rest = stops.filter(({ locationId }) => !putOff.includes(locationId));
  if (rest[0]) return rest[0];
  const order = putOff.flatMap((id) => stops.find(({ locationId }) => locationId === id) ?? []);
  return order[0] ?? null;
}

/** The stop whose bin has this name, ignoring case and surrounding blanks. */
export function stopNamed(stops: readonly Stop[], text: string): Stop | undefined {
  const wanted = text.trim().toLocaleLowerCase();
  return stops.find(({ name }) => name.toLocaleLowerCase() === wanted);
}

/** What was scanned: the code of a label, with or without its prefix. */
export const codeOf = (text: string): string => text.trim().replace(/^loc:/i, "");
