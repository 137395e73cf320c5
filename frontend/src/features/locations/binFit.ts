/**
 * Whether a bin has room for the pieces on the card, and how much room it has, in words. The server
 * decides (apps/locations/rules/fit.py); this shows the result in advance.
 */

import { formatCount, formatWeight } from "@/shared/lib/format";
import { unweighedText } from "@/shared/lib/weight";
import type { MapCell } from "./model";

/** The fields that a bin of the shelf map and a location share. */
export type Room = Omit<MapCell, "total_value" | "lots_without_price">;

/** The pieces to stow: their number, and the grams of each; null: unknown. */
export type Pieces = { quantity: number; grams: number | null };

export type Fit = {
  fits: boolean;
  /** A person marked it full: a reason does not override that. */
  closed: boolean;
  text: string;
};

export function fitOf(room: Room, { quantity, grams }: Pieces): Fit {
  if (room.is_full) return { fits: false, closed: true, text: "marked full" };
  const refusal = outOfRange(room, grams) ?? tooMany(room, quantity, grams);
  if (refusal) return { fits: false, closed: false, text: refusal };
  const note = room.exclude_from_recommendations ? ", not recommended by itself" : "";
  return { fits: true, closed: false, text: freeText(room) + note };
}

/** The weight range of the bin's pieces, where a piece of this weight is outside of it. */
export function outOfRange(room: Room, grams: number | null): string | null {
  const { min_item_weight: least, max_item_weight: most } = room;
  if (grams === null) return null;
  if (least && grams < Number(least)) return `for pieces from ${formatWeight(least)}`;
  if (most && grams > Number(most)) return `for pieces up to ${formatWeight(most)}`;
  return null;
}

function tooMany(room: Room, quantity: number, grams: number | null): string | null {
  const [pieces, weight] = [freePieces(room), freeGrams(room)];
  if (pieces !== null && quantity > pieces) {
    return `room for ${formatCount(Math.max(0, pieces))}, not ${formatCount(quantity)}`;
  }
  // Weights are kept to a ten-thousandth of a gram.
  if (weight !== null && grams !== null && quantity * grams > Math.max(0, weight) + 1e-6) {
    return `${freeWeightText(room, weight)}, not ${formatWeight(quantity * grams)}`;
  }
  return null;
}

function freeText(room: Room): string {
  const [pieces, weight] = [freePieces(room), freeGrams(room)];
  const free = [
    pieces !== null && `room for ${formatCount(pieces)}`,
    weight !== null && freeWeightText(room, weight),
  ].filter(Boolean);
  if (free.length > 0) return free.join(", ");
  return room.item_count === 0 ? "empty, no limit" : `${formatCount(room.item_count)} in it`;
}

/** "12 g free (14 pieces without a weight not counted)". */
function freeWeightText(room: Room, grams: number): string {
  const leftOut = unweighedText(room.unknown_weight_count);
  return `${formatWeight(Math.max(0, grams))} free${leftOut && ` (${leftOut} not counted)`}`;
}

const freePieces = ({ max_item_count: most, item_count }: Room): number | null =>
  most === null ? null : most - item_count;

const freeGrams = ({ max_total_weight: most, stored_weight }: Room): number | null =>
  most === null ? null : Number(most) - Number(stored_weight);
