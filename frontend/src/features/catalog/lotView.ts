/** Which colours of an item are shown, and how each is marked: what the four options mean. */
import type { CatalogLot, PriceCondition, PriceRegion } from "./model";

/** In words, so that no mark says something by its colour alone. */
export type LotMark = "owned" | "inBatch" | "valuable" | "needed";

/** What the person has of a lot. */
export type OwnedLot = { pieces: number; places: string[] };

export const basisNames: Record<CatalogLot["reference_basis"], string> = {
  sold: "sold",
  asked: "asked",
  none: "no data",
};

export type LotViewOptions = {
  highlight: boolean;
  showLowValueLots: boolean;
  hideExistingBatchItemLots: boolean;
};

export type LotContext = {
  /** Lots that the person has pieces of. */
  owned: ReadonlySet<number>;
  /** Lots that the chosen batch holds. */
  inBatch: ReadonlySet<number>;
  /** Lots that a set of the person's still lacks. */
  needed: ReadonlySet<number>;
  /** Below it a lot is of low value; from `highValue` on it is marked. */
  lowValue: number;
  highValue: number;
  /** The colour that was recognised or named: never hidden. */
  keepColorId: number | null;
};

export type LotView = {
  shown: CatalogLot[];
  lowValueHidden: number;
  inBatchHidden: number;
};

/** The lots that the options let through, in their order, and how many each of them hides. */
export function viewLots(
  lots: readonly CatalogLot[],
  options: LotViewOptions,
  context: LotContext,
): LotView {
  const view: LotView = { shown: [], lowValueHidden: 0, inBatchHidden: 0 };
  for (const lot of lots) {
    const isKept = lot.color_id === context.keepColorId;
    if (options.hideExistingBatchItemLots && context.inBatch.has(lot.id) && !isKept) {
      view.inBatchHidden += 1;
    } else if (!options.showLowValueLots && isLowValue(lot, context.lowValue) && !isKept) {
      view.lowValueHidden += 1;
    } else {
      view.shown.push(lot);
    }
  }
  return view;
}

/** A lot without a price does not count as low value. */
export function isLowValue(lot: CatalogLot, lowValue: number): boolean {
  return lot.reference_price !== null && Number(lot.reference_price) < lowValue;
}

/** So many colours are shown of an item without any price. */
const UNPRICED = 12;

/**
 * The lots with a price and those that are kept; the first ones, up to twelve, where none has a
 * price.
 */
export function withFigures(
  lots: readonly CatalogLot[],
  isKept: (lot: CatalogLot) => boolean,
): CatalogLot[] {
  const isPriced = (lot: CatalogLot) => lot.reference_price !== null;
  let room = lots.some(isPriced) ? 0 : UNPRICED - lots.filter(isKept).length;
  const shown = lots.filter((lot) => isPriced(lot) || isKept(lot) || room-- > 0);
  // To fold one takes as much room as the one.
  return lots.length - shown.length === 1 ? [...lots] : shown;
}

export function marksOf(lot: CatalogLot, context: LotContext): LotMark[] {
  const marks: LotMark[] = [];
  if (context.owned.has(lot.id)) marks.push("owned");
  if (context.inBatch.has(lot.id)) marks.push("inBatch");
  if (lot.reference_price !== null && Number(lot.reference_price) >= context.highValue) {
    marks.push("valuable");
  }
  if (context.needed.has(lot.id)) marks.push("needed");
  return marks;
}

export const lotSorts = [
  { value: "mine", label: "My stock first" },
  { value: "recent", label: "Recently used" },
  { value: "price", label: "Most expensive first" },
  { value: "sellThrough", label: "Best sold first" },
  { value: "name", label: "By name" },
] as const;
export type LotSort = (typeof lotSorts)[number]["value"];

/** The lots in another order than they came in; what has no figure comes last. */
export function sortLots(
  lots: readonly CatalogLot[],
  by: LotSort,
  figures: {
    condition: PriceCondition;
    region: PriceRegion;
    /** The colours that were added last, newest first. */
    recent: readonly number[];
  },
): CatalogLot[] {
  const falling = (of: (lot: CatalogLot) => string | null) =>
    lots.toSorted((a, b) => Number(of(b) ?? -1) - Number(of(a) ?? -1));
  if (by === "recent") {
    const place = ({ color_id }: CatalogLot) => {
      const at = figures.recent.indexOf(color_id);
      return at < 0 ? figures.recent.length : at;
    };
    return lots.toSorted((a, b) => place(a) - place(b));
  }
  if (by === "price") return falling((lot) => lot.reference_price);
  if (by === "sellThrough") {
    return falling((lot) => lot[`${figures.condition}_${figures.region}_sell_through`] ?? null);
  }
  if (by === "name") return lots.toSorted((a, b) => a.color_name.localeCompare(b.color_name, "en"));
  return [...lots];
}
