/** Which colour a person probably means: ranked, and narrowed by typing. */
import type { CatalogLot, Color } from "./model";

/** A colour in which an item can be added. Without a lot, the item is unknown in it. */
export type ColorOption = {
  lotId: number | null;
  colorId: number;
  name: string;
  html: string | null;
  imageUrl: string | null;
  isKnown: boolean;
  /** Pieces that the person owns of this lot, in any condition and bin. */
  owned: number;
  /** What the person's price rule asks, per piece. */
  price: string | null;
  /** The figure that the rule went by: sold, asked, lowest; blank without one. */
  priceBasis: string;
};

/** What the ranking knows beside the lots themselves. */
export type ColorContext = {
  /** Pieces owned, by lot id. */
  owned: ReadonlyMap<number, number>;
  /** The colour that was locked, seen on the picture, or typed with the item. */
  namedColorId?: number | null;
  /** The colours that were added last, newest first: sorting goes by colour more often than not. */
  recentColorIds: readonly number[];
  /** How common a colour is over the whole catalogue, by colour id. */
  commonness: ReadonlyMap<number, number>;
};

/** The colour of what has none: sets, minifigs, books. */
export const NO_COLOR: ColorOption = {
  lotId: null,
  colorId: 0,
  name: "(Not Applicable)",
  html: null,
  imageUrl: null,
  isKnown: true,
  owned: 0,
  price: null,
  priceBasis: "",
};

/**
 * The colour that was named, then those of the colours used last that the item is known in (newest
 * first), then what the person owns (most first), then the colours that the catalogue knows for
 * the item (commonest first), then those that no catalogue lists.
 */
export function rankColors(lots: readonly CatalogLot[], context: ColorContext): ColorOption[] {
  const ranked = lots.map((lot) => ({ lot, owned: context.owned.get(lot.id) ?? 0 }));
  const { recentColorIds: recent } = context;
  const recency = new Map(recent.map((id, index) => [id, recent.length - index]));
  const rank = ({ lot, owned }: (typeof ranked)[number]): readonly number[] => [
    Number(lot.color_id === context.namedColorId),
    lot.is_known ? (recency.get(lot.color_id) ?? 0) : 0,
    owned,
    Number(lot.is_known),
    context.commonness.get(lot.color_id) ?? 0,
  ];
  return ranked
    .sort((a, b) => descending(rank(a), rank(b)) || byName(a.lot, b.lot))
    .map(({ lot, owned }) => ({
      lotId: lot.id,
      colorId: lot.color_id,
      name: lot.color_name,
      html: lot.color_html,
      imageUrl: lot.image_url,
      isKnown: lot.is_known,
      owned,
      price: lot.suggested_price,
      priceBasis: lot.suggested_basis,
    }));
}

function descending(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (b[at] ?? 0) - (a[at] ?? 0);
}

const byName = (a: CatalogLot, b: CatalogLot) => a.color_name.localeCompare(b.color_name, "en");

/** The colours of the whole list that the item has not been seen in: a catalogue never knows all. */
export function otherColors(
  options: readonly ColorOption[],
  colors: readonly Color[],
): ColorOption[] {
  const seen = new Set(options.map((option) => option.colorId));
  return colors
    .filter((color) => color.id !== NO_COLOR.colorId && !seen.has(color.id))
    .map((color) => ({
      ...NO_COLOR,
      colorId: color.id,
      name: color.name,
      html: color.color_html,
      isKnown: false,
    }));
}

/**
 * The options whose name fits what is typed, then fitting other colours. Within each: the name that
 * is typed out, then those that begin so ("blu": Blue before Dark Blue), then in their order.
 */
export function narrowColors(
  options: readonly ColorOption[],
  colors: readonly Color[],
  typed: string,
): ColorOption[] {
  if (typed.trim() === "") return [...options];
  return [options, otherColors(options, colors)].flatMap((group) =>
    group
      .filter(({ name }) => matchesColor(name, typed))
      .sort((a, b) => nearness(b.name, typed) - nearness(a.name, typed)),
  );
}

function nearness(name: string, typed: string): number {
  const text = plain(typed);
  if (plain(name) === text) return 2;
  return plain(name).startsWith(text) ? 1 : 0;
}

const plain = (text: string) => wordsOf(text).join(" ");

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);

/** Typed beginnings of words, in their order, or initials: "d b g" and "dbg" find Dark Bluish Gray. */
export function matchesColor(name: string, typed: string): boolean {
  const words = wordsOf(name);
  const initials = words.map((word) => word[0]).join("");
  if (initials.length > 2 && plain(typed) === initials) return true;
  let from = 0;
  return wordsOf(typed).every((start) => {
    const at = words.findIndex((word, index) => index >= from && word.startsWith(start));
    from = at + 1;
    return at >= 0;
  });
}
