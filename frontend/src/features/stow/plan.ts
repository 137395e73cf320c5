/**
 * What this sitting has planned, on top of the server's recommendation. The server ranks bins by
 * what lies in them; pieces that are only planned lie in none yet, so it would send ten lots to
 * the same empty bin, and the same lot to another one each time.
 */
import type { Location } from "@/features/locations/public";
import { outOfRange } from "./binFit";
import type { Condition, Destination } from "./model";
import type { Session } from "./session";

/** Pieces planned for a bin and not stowed: all of them, and those of the lot in question. */
export type Planned = { pieces: number; sameLot: number };
export type Plans = ReadonlyMap<number, Planned>;

export function plansFor(session: Session, lotId: number | null, condition: Condition): Plans {
  const plans = new Map<number, Planned>();
  for (const { bin, draft, known, quantity, problem } of session.rows) {
    if (!bin || known?.isStowed || problem?.what === "add" || quantity === 0) continue;
    const same = lotId !== null && draft.lotId === lotId && draft.condition === condition;
    const { pieces, sameLot } = plans.get(bin.id) ?? { pieces: 0, sameLot: 0 };
    plans.set(bin.id, {
      pieces: pieces + quantity,
      sameLot: sameLot + (same ? quantity : 0),
    });
  }
  return plans;
}

/** Best first, as the server's ranking goes on from stock to plans. */
const RANKS = ["holdsTheLot", "plannedForTheLot", "asTheServerSays", "plannedForOthers", "noRoom"];
type Rank = (typeof RANKS)[number];

/**
 * The destinations with the plans counted in, best first. The first one is recommended if it has
 * room for `quantity`.
 */
export function withPlans(
  destinations: readonly Destination[],
  plans: Plans,
  quantity: number,
): Destination[] {
  const offered = destinations.map((destination) => {
    const counted = counting(destination, plans.get(destination.id));
    return { ...counted, rank: RANKS.indexOf(rankOf(counted, plans, quantity)) };
  });
  return offered
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ rank, ...destination }, index) => ({
      ...destination,
      recommended: index === 0 && RANKS[rank] !== "noRoom",
    }));
}

function rankOf(counted: Destination, plans: Plans, quantity: number): Rank {
  const { available_item_count: room, item_count, qty_on_hand } = counted;
  const planned = plans.get(counted.id);
  if (room !== null && room < quantity) return "noRoom";
  if (qty_on_hand > 0) return "holdsTheLot";
  if (planned?.sameLot) return "plannedForTheLot";
  return planned?.pieces === item_count ? "plannedForOthers" : "asTheServerSays";
}

function counting(destination: Destination, planned: Planned | undefined): Destination {
  if (!planned) return destination;
  const { available_item_count: room, item_count, reason } = destination;
  return {
    ...destination,
    item_count: item_count + planned.pieces,
    available_item_count: room === null ? null : room - planned.pieces,
    reason:
      planned.sameLot && destination.qty_on_hand === 0
        ? `${planned.sameLot} of the same planned for it in this sitting`
        : `${reason}; ${planned.pieces} more planned for it`,
  };
}

/**
 * A bin that the person planned this lot for and that the server did not offer, since nothing lies
 * in it: its location has to be read before it can be proposed again.
 */
export function plannedElsewhere(
  destinations: readonly Destination[],
  plans: Plans,
): number | null {
  const [found] = [...plans].find(
    ([id, { sameLot }]) => sameLot > 0 && !destinations.some((each) => each.id === id),
  ) ?? [null];
  return found;
}

/** A location as a destination of the person's own choice; what speaks against it is said. */
export function chosenByPerson(location: Location, grams: number | null = null): Destination {
  const { id, name, is_full, available_item_count, item_count, max_item_count } = location;
  const { stored_weight, max_total_weight, unknown_weight_count } = location;
  const { inventory_container_type_name } = location;
  const unfit = outOfRange(location, grams);
  return {
    id,
    name,
    qty_on_hand: 0,
    lastSold: "unknown",
    recommended: false,
    reason: `chosen by you${is_full ? ", but it is marked full" : unfit ? `, but it is ${unfit}` : ""}`,
    available_item_count: is_full ? 0 : available_item_count,
    item_count,
    max_item_count,
    stored_weight,
    max_total_weight,
    unknown_weight_count,
    inventory_container_type_name,
  };
}

/** Pieces of so many grams that still fit by number and weight; null: any number. */
export function roomFor(destination: Destination, grams: number | null): number | null {
  const { available_item_count: count, max_total_weight: limit, stored_weight } = destination;
  const byWeight =
    limit === null || !grams
      ? null
      : // A gram's ten-thousandth is what weights are kept to.
        Math.floor((Number(limit) - Number(stored_weight)) / grams + 1e-6);
  if (count === null || byWeight === null) return count ?? byWeight;
  return Math.min(count, byWeight);
}

/** So many of the pieces go into one bin. */
export type Share = { bin: Destination; pieces: number };

/**
 * Two bins that take `quantity` together, as far up the ranking as possible, where none takes all
 * of it; null where no two do.
 */
export function splitOverTwo(
  destinations: readonly Destination[],
  quantity: number,
  grams: number | null,
): [Share, Share] | null {
  const room = (bin: Destination) => Math.min(quantity, roomFor(bin, grams) ?? quantity);
  for (const [index, first] of destinations.entries()) {
    const pieces = room(first);
    if (pieces < 1 || pieces >= quantity) continue;
    const rest = quantity - pieces;
    const second = destinations.find((bin, other) => other !== index && room(bin) >= rest);
    if (second) {
      return [
        { bin: first, pieces },
        { bin: second, pieces: rest },
      ];
    }
  }
  return null;
}
