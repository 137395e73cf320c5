/**
 * The session's plans on top of the server's recommendation. The server ranks bins by their
 * contents. Planned pieces are in no bin yet, so it would recommend the same empty bin for ten
 * lots, and different bins for the same lot.
 */
import { type Location, outOfRange } from "@/features/locations/public";
import type { Condition, Destination } from "../model";
import type { Session } from "../session/session";

/** Pieces planned for a bin and not stowed yet: of all lots, and of this lot. */
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

/** Best first; the server's ranking extended from stock to plans. */
const RANKS = ["holdsTheLot", "plannedForTheLot", "asTheServerSays", "plannedForOthers", "noRoom"];
type Rank = (typeof RANKS)[number];

/**
 * The destinations including the plans, best first. The first one is recommended if it has room for
 * `quantity`.
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
    planned: planned.pieces,
    available_item_count: room === null ? null : room - planned.pieces,
    reason:
      planned.sameLot && destination.qty_on_hand === 0
        ? `${planned.sameLot} more like it going here`
        : `${reason}; ${planned.pieces} more planned for it`,
  };
}

/**
 * A bin that the person planned for this lot and the server did not offer, because it is empty: its
 * location must be read before it can be proposed again.
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

/** A location as a destination that the person chose, with its limits. */
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
    lastSoldDate: null,
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

/** The pieces of this weight that fit by number and weight; null: any number. */
export function roomFor(destination: Destination, grams: number | null): number | null {
  const { available_item_count: count, max_total_weight: limit, stored_weight } = destination;
  const byWeight =
    limit === null || !grams
      ? null
      : // Weights have four decimal places.
        Math.floor((Number(limit) - Number(stored_weight)) / grams + 1e-6);
  if (count === null || byWeight === null) return count ?? byWeight;
  return Math.min(count, byWeight);
}

/** The pieces that go into one bin. */
export type Share = { bin: Destination; pieces: number };

/**
 * The two best bins that have room for `quantity` together, where no bin has room for all of it;
 * null if no two do.
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
