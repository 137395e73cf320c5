import {
  type CatalogItem,
  type CatalogLot,
  type Color,
  type ColorOption,
  catalogQueries,
  lotsInBatchQuery,
  lotsNeededQuery,
  meantColor,
  narrowColors,
  type Owned,
  openColor,
  recentColors,
  stockQueries,
} from "@/features/catalog/public";
import { marketplaceQueries, type PriceRule } from "@/features/marketplace/public";
import type { Around, Asked, Read, Steady } from "../asked";
import { readColor } from "../find/card";
import { chosenColor, colorOptions, colorViewOf, type Offered, offeredColors } from "./choices";

export type Colors = {
  state: "idle" | "loading" | "ready" | "failed";
  /** Ranked, and filtered by the typed text. */
  shown: readonly ColorOption[];
  chosen: ColorOption | null;
  /** While a colour is asked for: the one that Enter adds, typed or marked. */
  named: ColorOption | null;
  /** The chosen colour's lot with its figures. */
  lot: CatalogLot | null;
  rule: PriceRule | undefined;
  marks: Offered["marks"];
  hidden: Pick<Offered, "lowValueHidden" | "inBatchHidden">;
  /** The colour named or recognised that the lock overrides; null where they agree. */
  overruled: Color | null;
  /** A colour must be chosen: none was named (""), or these words with several meanings. */
  asks: string | null;
  /** The person's stock of the item, in any colour. */
  owned: readonly Owned[];
  steady: Steady;
  error: unknown;
  tryAgain: () => void;
};

export const nothingSteady: Steady = { id: 0, recent: [], isReady: false };

const NOTHING: readonly Owned[] = [];
const NO_LOTS: readonly CatalogLot[] = [];

/** The colours of an item, ranked, and the one that applies. */
export function colorsOf(
  item: CatalogItem | null,
  { card, condition, locked, batchId }: Asked,
  { session, options, steady: before }: Around,
  read: Read,
): Colors {
  const id = item?.id ?? 0;
  const number = item?.item_number ?? "";
  const lots = read({ ...catalogQueries.lots(id, condition), enabled: id > 0 });
  const stock = read({ ...stockQueries.owned(id), enabled: id > 0 }, "what you own of it");
  const list = read(catalogQueries.colors(), "the colours");
  const rule = read(marketplaceQueries.priceRule(), "your price rule");
  const isViewed = options.highlight || options.hideExistingBatchItemLots;
  const existing = read(
    lotsInBatchQuery(isViewed && number !== "" ? batchId : null, number),
    "which lots the batch has",
  );
  const needed = read(lotsNeededQuery(number, options.highlight), "which lots your sets need");
  const owned = stock.data ?? NOTHING;
  const colors = list.data ?? [];

  const { recent, isReady: wasReady } =
    before.id === id ? before : { recent: recentColors(), isReady: false };
  // Only when all data has loaded: a second ranking while the person looks at the list would put
  // another colour under Enter. If stock or the colour list fails, the other data decides.
  const waiting = stock.isPending || list.isPending || rule.isPending || existing.isLoading;
  const ready = lots.isSuccess && (!waiting || wasReady);
  const all = lots.data ?? NO_LOTS;
  const ranked =
    ready && item ? colorOptions(item, { lots: all, owned, colors }, { recent, locked }) : [];

  const meant = item && meantColor(item, all, locked);
  const open = item && openColor(item, all, locked);
  const seenColorId = item?.color_id ?? null;
  const view = item
    ? colorViewOf({
        meant,
        options,
        rule: rule.data,
        owned,
        existing: existing.data ?? [],
        needed: needed.data,
        session,
        batchId,
      })
    : undefined;
  const offered = offeredColors(ranked, all, view);
  const chosen = chosenColor({ offered: offered.options, ranked }, colors, card, open);
  const typed = readColor(card.colorFilter).name || (card.colorId === null ? open : null);
  // The filter text searches all colours.
  const shown = typed ? narrowColors(ranked, colors, typed) : offered.options;
  const marked = shown.find(({ colorId }) => colorId === card.markedColor);
  return {
    state: id === 0 ? "idle" : lots.isError ? "failed" : ready ? "ready" : "loading",
    shown,
    chosen,
    named: marked ?? ((card.colorFilter && shown[0]) || null),
    lot: all.find((lot) => lot.id === chosen?.lotId) ?? null,
    rule: rule.data,
    marks: offered.marks,
    hidden: offered,
    overruled: (meant !== seenColorId && colors.find((color) => color.id === seenColorId)) || null,
    asks: ready && !chosen ? open : null,
    owned,
    steady: { id, recent, isReady: ready || wasReady },
    error: lots.error,
    tryAgain: lots.refetch,
  };
}
