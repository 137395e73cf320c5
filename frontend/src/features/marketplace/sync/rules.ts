/** What the dialogs of a sync say. apps/listings/rules/store_diff decides. */
import { DIFFERENCES, type DifferenceKind, type StoreSync } from "./model";

export const kindWords: Record<DifferenceKind, { label: string; effect: string }> = {
  sold: {
    label: "Sold",
    effect: "The store has fewer: they were sold, and your stock goes down to that.",
  },
  gone: {
    label: "Gone from the store",
    effect: "The store has none of them any more: the listed pieces leave your stock.",
  },
  lowered: {
    label: "Lowered there",
    effect: "The store has more than you do: it is lowered to your stock.",
  },
  removed: {
    label: "Taken off sale",
    effect: "You have none of them any more: the lots are taken out of the store.",
  },
  changed: {
    label: "Price and texts",
    effect: "Price, remarks or comments differ: the store gets yours.",
  },
  linked: {
    label: "Tied together",
    effect: "The same lot on both sides: your row gets its lot number. Nothing else changes.",
  },
  only_there: {
    label: "Only in the store",
    effect: "Not in your stock. They are shown, and left as they are.",
  },
};

/** Kinds whose lots vanish: here, or in the store. */
const REMOVALS: readonly DifferenceKind[] = ["gone", "removed"];

export const isRemoval = (kind: DifferenceKind): boolean => REMOVALS.includes(kind);

export const kindsOf = ({ counts }: Pick<StoreSync, "counts">): DifferenceKind[] =>
  DIFFERENCES.filter((kind) => (counts[kind] ?? 0) > 0);

/** Rows left out of a sync, each with its kind. */
export type LeftOut = ReadonlyMap<number, DifferenceKind>;

/** Lots that would vanish although some rows are left out; 0: nothing has to be typed. */
export function removalsLeft({ removals }: Pick<StoreSync, "removals">, leftOut: LeftOut): number {
  return removals - [...leftOut.values()].filter(isRemoval).length;
}

/** Lots that something happens to. */
export function lotsToDo({ counts }: Pick<StoreSync, "counts">, leftOut: LeftOut): number {
  const all = kindsOf({ counts }).filter((kind) => kind !== "only_there");
  return all.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0) - leftOut.size;
}

export const isRunning = ({ state }: Pick<StoreSync, "state">): boolean =>
  state === "planning" || state === "applying";
