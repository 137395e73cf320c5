/** The stops of a walk by bin, and what this browser keeps of them for a reload without a server. */
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import { PERSONAL } from "@/shared/lib/person";
import type { Stop } from "../model";

/** One bin of a walk: the rows of stock in it. Rows in no bin are stops of their own. */
export type BinStop = { key: string; name: string; rows: readonly Stop[]; pieces: number };

export function byBin(stops: readonly Stop[]): BinStop[] {
  const found = new Map<string, Stop[]>();
  for (const stop of stops) {
    const key = stop.location_id === null ? `item-${stop.item_id}` : `bin-${stop.location_id}`;
    found.set(key, [...(found.get(key) ?? []), stop]);
  }
  return [...found].map(([key, rows]) => ({
    key,
    name: rows[0]?.location_name ?? "",
    rows,
    pieces: rows.reduce((sum, { quantity }) => sum + quantity, 0),
  }));
}

/** What is known of a walk: its stops when the server last named them, and how many bins it had. */
export type KeptWalk = { id: number; stops: readonly Stop[]; bins: number };

const NAME = `${PERSONAL}pick_walk`;

export function keptWalk(id: number): KeptWalk | undefined {
  const kept = getSetting<KeptWalk>(NAME);
  return kept?.id === id ? kept : undefined;
}

export function keepWalk(walk: KeptWalk): void {
  setSetting(NAME, walk);
}
