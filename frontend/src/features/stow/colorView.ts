/** What the options of the colours go by at the station: values, stock, what the batch holds. */
import { type LotViewOptions, lotsInBatchQuery } from "@/features/catalog/public";
import type { PriceRule } from "@/features/marketplace/public";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import type { ColorView } from "./choices";
import type { Owned } from "./model";
import type { Session } from "./session";

/** The options as they are now, for adds that are looked up behind the scenes. */
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

/** What of an item the batch had before this sitting; asked only where an option needs it. */
export const existingLotsQuery = (
  batchId: number | null,
  itemNumber: string,
  { highlight, hideExistingBatchItemLots }: LotViewOptions,
) => lotsInBatchQuery(highlight || hideExistingBatchItemLots ? batchId : null, itemNumber);

/** Undefined while the values are not known: then nothing is hidden. */
export function colorViewOf(given: {
  /** The colour that is meant: never hidden. */
  meant: number | null;
  options: LotViewOptions;
  rule: PriceRule | undefined;
  owned: readonly Owned[];
  existing: readonly number[];
  /** For the marks only: what is looked up behind the scenes needs none. */
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
    options,
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
