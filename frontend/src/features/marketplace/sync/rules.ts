/** What the dialogs of a sync say. apps/listings/rules/cycle decides. */
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
  taken: {
    label: "Changed there",
    effect: "Changed in the store: copied to your rows.",
  },
  linked: {
    label: "Tied together",
    effect: "The same lot on both sides: your row gets its lot number.",
  },
  created: {
    label: "Only in the store",
    effect: "Not in your stock: it gets a row for each.",
  },
  lowered: {
    label: "Lowered there",
    effect: "The store has more than you do: it is lowered to your stock.",
  },
  raised: {
    label: "Raised there",
    effect: "Pieces came back or were added here: the store gets them.",
  },
  put_up: {
    label: "Put up there",
    effect: "For sale in your other store but not in this one: a lot is put up in this one.",
  },
  removed: {
    label: "Taken off sale",
    effect: "You have none of them any more: the lots are taken out of the store.",
  },
  changed: {
    label: "Price and texts",
    effect: "Price, remarks or comments differ: the store gets yours.",
  },
};

/** Whether your stock changes by it; else the store does. */
export const changesStock = (kind: DifferenceKind): boolean =>
  ["sold", "gone", "taken", "linked", "created"].includes(kind);

/** Kinds whose lots vanish: here, or in the store. */
const REMOVALS: readonly DifferenceKind[] = ["gone", "removed"];

export const isRemoval = (kind: DifferenceKind): boolean => REMOVALS.includes(kind);

export const kindsOf = ({ counts }: Pick<StoreSync, "counts">): DifferenceKind[] =>
  DIFFERENCES.filter((kind) => (counts[kind] ?? 0) > 0);

/** Which rows are done: all but `rows`, or where nothing was chosen beforehand only `rows`. */
export type Choice = { all: boolean; rows: ReadonlyMap<number, DifferenceKind> };

/** Nothing is chosen beforehand where the store may be another one. */
export const firstChoice = ({ suspicion }: Pick<StoreSync, "suspicion">): Choice => ({
  all: suspicion === "",
  rows: new Map(),
});

export const isChosen = ({ all, rows }: Choice, id: number): boolean => rows.has(id) !== all;

export function toggled({ all, rows }: Choice, row: { id: number; kind: DifferenceKind }): Choice {
  const next = new Map(rows);
  if (!next.delete(row.id)) next.set(row.id, row.kind);
  return { all, rows: next };
}

/** Lots that would vanish by what is chosen; 0: nothing has to be typed. */
export function removalsLeft(
  { removals }: Pick<StoreSync, "removals">,
  { all, rows }: Choice,
): number {
  const named = [...rows.values()].filter(isRemoval).length;
  return all ? removals - named : named;
}

/** Lots that something could happen to. */
export const lotsOf = ({ counts }: Pick<StoreSync, "counts">): number =>
  kindsOf({ counts }).reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);

/** Lots that something happens to. */
export const lotsToDo = (sync: Pick<StoreSync, "counts">, { all, rows }: Choice): number =>
  all ? lotsOf(sync) - rows.size : rows.size;

export const isRunning = ({ state }: Pick<StoreSync, "state">): boolean =>
  state === "planning" || state === "applying";
