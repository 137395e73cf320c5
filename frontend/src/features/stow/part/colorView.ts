/** The inputs of the colour options at the station: values, stock, and the batch's contents. */

import type { Owned } from "@/features/catalog/public";
import { type LotViewOptions, lotsInBatchQuery } from "@/features/catalog/public";
import type { PriceRule } from "@/features/marketplace/public";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import type { Session } from "../session/session";
import type { ColorView } from "./choices";

/** The present options, for adds that are looked up in the background. */
export const viewOptionsNow = (): LotViewOptions => ({
  highlight: clientStore.get("options.highlight"),
  showLowValueLots: clientStore.get("options.showLowValueLots"),
  hideExistingBatchItemLots: clientStore.get("options.hideExistingBatchItemLots"),
});

export function useViewOptions(): LotViewOptions {
  return {
    highlight: useClientState("options.highlight"),
    showLowValueLots: useClientState("options.showLowValueLots"),
    hideExistingBatchItemLots: useClientState("options.hideExistingBatchItemLots"),
  };
}

/** The batch's quantity of an item before this session; requested only if an option needs it. */
export const existingLotsQuery = (
  batchId: number | null,
  itemNumber: string,
  { highlight, hideExistingBatchItemLots }: LotViewOptions,
) => lotsInBatchQuery(highlight || hideExistingBatchItemLots ? batchId : null, itemNumber);

/**
 * Undefined until the values are known: then no colour is hidden. While the colour is asked for, the
 * piece is in the person's hand: no colour is hidden for its low value.
 */
export function colorViewOf(given: {
  /** The colour that applies; it is never hidden. */
  meant: number | null;
  options: LotViewOptions;
  rule: PriceRule | undefined;
  owned: readonly Owned[];
  existing: readonly number[];
  /** Only for marks: background lookups do not need it. */
  needed?: readonly number[] | undefined;
  session: Session;
  batchId: number | null;
}): ColorView | undefined {
  const { options, rule, owned, existing, session, batchId } = given;
  if (!rule) return undefined;
  const added = session.rows
    .filter(({ draft, quantity }) => draft.batchId === batchId && quantity > 0)
    .flatMap(({ draft }) => draft.lotId ?? []);
  return {
    options: given.meant === null ? { ...options, showLowValueLots: true } : options,
    context: {
      owned: new Set(owned.filter(({ quantity }) => quantity > 0).map(({ lot_id }) => lot_id)),
      inBatch: new Set([...existing, ...added]),
      needed: new Set(given.needed),
      lowValue: Number(rule.low_value),
      highValue: Number(rule.high_value),
      keepColorId: given.meant,
    },
  };
}
