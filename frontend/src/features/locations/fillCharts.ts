/** How full the locations are, and how much each kind of them still takes: what the charts draw. */
import type { MapCell } from "./model";
import { countFill, weightFill } from "./rules";

/** Percent of the nearest limit from which each step begins. */
const STEPS = [
  { name: "Empty", from: 0 },
  { name: "Under 25 %", from: 0 },
  { name: "25 to 49 %", from: 0.25 },
  { name: "50 to 74 %", from: 0.5 },
  { name: "75 to 89 %", from: 0.75 },
  { name: "90 to 99 %", from: 0.9 },
  { name: "Full", from: 1 },
  { name: "Over", from: 1 },
] as const;
const FULL = 6;
const OVER = 7;

export type FillStep = { name: string; locations: number; isTight: boolean };

/** Locations by how full they are; those that hold something without any limit are beside it. */
export function fillSteps(cells: readonly MapCell[]): { steps: FillStep[]; unlimited: number } {
  const steps = STEPS.map(({ name, from }) => ({ name, locations: 0, isTight: from >= 0.9 }));
  let unlimited = 0;
  for (const cell of cells) {
    const at = stepOf(cell);
    const step = at === null ? undefined : steps[at];
    if (step) step.locations += 1;
    else unlimited += 1;
  }
  return { steps, unlimited };
}

function stepOf(cell: MapCell): number | null {
  const shares = [countFill(cell).share, weightFill(cell).share].filter((one) => one !== null);
  const share = Math.max(0, ...shares);
  if (share > 1) return OVER;
  if (cell.is_full) return FULL;
  if (cell.item_count === 0) return 0;
  if (shares.length === 0) return null;
  return STEPS.findLastIndex(({ from }, place) => place > 0 && place <= FULL && share >= from);
}

export type TypeRoom = {
  /** Null: of no container type. */
  name: string | null;
  locations: number;
  /** Pieces and grams that still go in, where there is a limit. */
  pieces: number;
  grams: number;
  /** Pieces of unknown weight in locations with a weight limit: `grams` leaves them out. */
  unweighed: number;
  /** Of those that are limited by pieces: how many they take in all. */
  takes: number;
  /** So many of them have no limit of pieces. */
  unlimited: number;
};

/** What each container type still takes, most free pieces first. What is marked full takes nothing. */
export function roomByType(cells: readonly MapCell[]): TypeRoom[] {
  const found = new Map<string | null, TypeRoom>();
  for (const cell of cells) {
    const name = cell.inventory_container_type_name;
    const room = found.get(name) ?? {
      name,
      locations: 0,
      pieces: 0,
      grams: 0,
      unweighed: 0,
      takes: 0,
      unlimited: 0,
    };
    found.set(name, room);
    room.locations += 1;
    const { max_item_count: most, max_total_weight: heaviest } = cell;
    if (most === null) room.unlimited += 1;
    else {
      room.takes += most;
      if (!cell.is_full) room.pieces += Math.max(0, most - cell.item_count);
    }
    if (heaviest !== null && !cell.is_full) {
      room.grams += Math.max(0, Number(heaviest) - Number(cell.stored_weight));
      room.unweighed += cell.unknown_weight_count;
    }
  }
  return [...found.values()].sort(
    (one, other) => other.pieces - one.pieces || other.locations - one.locations,
  );
}
