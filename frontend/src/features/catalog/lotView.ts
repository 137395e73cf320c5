/** Which colours of an item are shown, and how each is marked: what the four options mean. */
import type { CatalogLot } from "./model";

/** In words, so that no mark says something by its colour alone. */
export type LotMark = "owned" | "inBatch" | "valuable";

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

/** What nobody knows the price of is not of low value. */
export function isLowValue(lot: CatalogLot, lowValue: number): boolean {
  return lot.reference_price !== null && Number(lot.reference_price) < lowValue;
}

export function marksOf(lot: CatalogLot, context: LotContext): LotMark[] {
  const marks: LotMark[] = [];
  if (context.owned.has(lot.id)) marks.push("owned");
  if (context.inBatch.has(lot.id)) marks.push("inBatch");
  if (lot.reference_price !== null && Number(lot.reference_price) >= context.highValue) {
    marks.push("valuable");
  }
  return marks;
}
