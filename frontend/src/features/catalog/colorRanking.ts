/** Which colour a person probably means: ranked, and narrowed by typing. */
import type { CatalogLot } from "./model";

export type ColorChoice = {
  lot: CatalogLot;
  /** Pieces that the person owns of this lot, in any condition and bin. */
  owned: number;
};

/** What the ranking knows beside the lots themselves. */
export type ColorContext = {
  /** Pieces owned, by lot id. */
  owned: ReadonlyMap<number, number>;
  /** The colour that was added last: sorting goes by colour more often than not. */
  lastColorId: number | null;
  /** How common a colour is over the whole catalogue, by colour id. */
  commonness: ReadonlyMap<number, number>;
};

/**
 * What the person owns (most first), then the colour added last, then the colours that the
 * catalogue knows for the item (commonest first), then those that nobody has seen.
 */
export function rankColors(lots: readonly CatalogLot[], context: ColorContext): ColorChoice[] {
  const rank = (lot: CatalogLot): readonly number[] => [
    context.owned.get(lot.id) ?? 0,
    Number(lot.color_id === context.lastColorId),
    Number(lot.is_known),
    context.commonness.get(lot.color_id) ?? 0,
  ];
  return lots
    .map((lot) => ({ lot, owned: context.owned.get(lot.id) ?? 0, rank: rank(lot) }))
    .sort((a, b) => descending(a.rank, b.rank) || byName(a.lot, b.lot))
    .map(({ lot, owned }) => ({ lot, owned }));
}

function descending(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (b[at] ?? 0) - (a[at] ?? 0);
}

const byName = (a: CatalogLot, b: CatalogLot) => a.color_name.localeCompare(b.color_name, "en");

/** Typed beginnings of words, in their order: "d b g" finds Dark Bluish Gray. */
export function matchesColor(name: string, typed: string): boolean {
  const words = name.toLowerCase().split(/[\s-]+/);
  let from = 0;
  return typed
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean)
    .every((start) => {
      const at = words.findIndex((word, index) => index >= from && word.startsWith(start));
      from = at + 1;
      return at >= 0;
    });
}
