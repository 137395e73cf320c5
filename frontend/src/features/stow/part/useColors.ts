import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Owned } from "@/features/catalog/public";
import {
  type CatalogItem,
  type CatalogLot,
  type Color,
  type ColorOption,
  catalogQueries,
  lotsNeededQuery,
  meantColor,
  narrowColors,
  openColor,
  recentColors,
  stockQueries,
  useLockedColor,
} from "@/features/catalog/public";
import { marketplaceQueries, type PriceRule } from "@/features/marketplace/public";
import { useTellMissing } from "@/shared/ui/sideQuery";
import { type Card, readColor } from "../find/card";
import type { Condition } from "../model";
import type { Session } from "../session/session";
import { chosenColor, colorOptions, type Offered, offeredColors } from "./choices";
import { colorViewOf, existingLotsQuery, useViewOptions } from "./colorView";

export type Colors = {
  state: "idle" | "loading" | "ready" | "failed";
  /** Ranked, and filtered by the typed text. */
  shown: readonly ColorOption[];
  chosen: ColorOption | null;
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
  error: unknown;
  tryAgain: () => void;
};

const NOTHING: readonly Owned[] = [];
const NO_LOTS: readonly CatalogLot[] = [];

/** The colours of the card's item, ranked, and the one that applies. */
export function useColors(
  item: CatalogItem | null,
  card: Card,
  condition: Condition,
  sitting: { session: Session; batchId: number | null },
): Colors {
  const { session, batchId } = sitting;
  const id = item?.id ?? 0;
  const locked = useLockedColor();
  // As they were when the item came: what is added meanwhile must not change the order under Enter.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const recent = useMemo(recentColors, [id]);
  const lots = useQuery({ ...catalogQueries.lots(id, condition), enabled: id > 0 });
  const stock = useQuery({ ...stockQueries.owned(id), enabled: id > 0 });
  const list = useQuery(catalogQueries.colors());
  const rule = useQuery(marketplaceQueries.priceRule());
  const options = useViewOptions();
  const existing = useQuery(existingLotsQuery(batchId, item?.item_number ?? "", options));
  const needed = useQuery(lotsNeededQuery(item?.item_number ?? "", options.highlight));
  useTellMissing(stock, "what you own of it");
  useTellMissing(list, "the colours");
  useTellMissing(rule, "your price rule");
  useTellMissing(existing, "which lots the batch has");
  useTellMissing(needed, "which lots your sets need");
  const owned = stock.data ?? NOTHING;

  // Only when all data has loaded: a second ranking while the person looks at the list would put
  // another colour under Enter. If stock or the colour list fails, the other data decides.
  const waiting = stock.isPending || list.isPending || rule.isPending || existing.isLoading;
  // The list must not disappear while the person types in it: the batch may load later than its
  // colours.
  const [readyId, setReadyId] = useState(0);
  const ready = lots.isSuccess && (!waiting || readyId === id);
  if (ready && readyId !== id) setReadyId(id);
  const ranked = useMemo(() => {
    if (!ready || !item) return [];
    const fetched = { lots: lots.data ?? [], owned, colors: list.data ?? [] };
    return colorOptions(item, fetched, { recent, locked });
  }, [ready, lots.data, list.data, owned, recent, locked, item]);

  const meant = item && meantColor(item, lots.data ?? NO_LOTS, locked);
  const open = item && openColor(item, lots.data ?? NO_LOTS, locked);
  const seenColorId = item?.color_id ?? null;
  const view =
    item &&
    colorViewOf({
      meant,
      options,
      rule: rule.data,
      owned,
      existing: existing.data ?? [],
      needed: needed.data,
      session,
      batchId,
    });
  const offered = offeredColors(ranked, lots.data ?? [], view ?? undefined);
  const colors = list.data ?? [];
  const chosen = chosenColor({ offered: offered.options, ranked }, colors, card, open);
  const typed = readColor(card.colorFilter).name || (card.colorId === null ? open : null);
  return {
    state: id === 0 ? "idle" : lots.isError ? "failed" : ready ? "ready" : "loading",
    // The filter text searches all colours.
    shown: typed ? narrowColors(ranked, colors, typed) : offered.options,
    chosen,
    lot: lots.data?.find((lot) => lot.id === chosen?.lotId) ?? null,
    rule: rule.data,
    marks: offered.marks,
    hidden: offered,
    overruled: (meant !== seenColorId && colors.find((color) => color.id === seenColorId)) || null,
    asks: ready && !chosen ? open : null,
    owned,
    error: lots.error,
    tryAgain: lots.refetch,
  };
}
