/**
 * The item on the card, in the client store: the matches, the marked one, and the item as it would
 * be added now. It is written in the commit that renders it, so that the added item is the one on
 * the screen.
 */
import { useLayoutEffect } from "react";
import {
  type CatalogItem,
  type ColorOption,
  identifiedOf,
  selectedOf,
} from "@/features/catalog/public";
import { clientStore } from "@/shared/store/clientStore";
import type { ClientState } from "@/shared/store/schema";
import type { BatchHead, Condition, Destination } from "./model";
import type { Bin, Draft } from "./session";
import type { SetDestination } from "./useSetDestinations";

type Processed = ClientState["itemBeingProcessed"];

export type OnCard = {
  item: CatalogItem | null;
  color: ColorOption | null;
  /** The colours that the catalogue has for it. */
  lots: readonly ColorOption[];
  condition: Condition;
  price: string | null;
  quantity: number;
  bin: Bin | null;
  destinations: readonly Destination[];
  sets: readonly SetDestination[];
};

/** The item being processed, from the card's state. */
export function processedOf(given: OnCard): Omit<Processed, "searchType" | "lastSoldDate"> {
  const { item, color, bin } = given;
  return {
    itemNumber: item?.item_number ?? "",
    itemName: item?.item_name ?? "",
    itemType: item?.item_type ?? null,
    colorId: color?.colorId ?? null,
    lotId: color?.lotId ?? null,
    colorName: color?.name ?? "",
    colorHtml: color?.html ?? "",
    price: given.price,
    quantity: given.quantity,
    locationId: bin?.id ?? null,
    locationName: bin?.name ?? "",
    condition: given.condition,
    partDestinations: given.destinations.map(
      ({ id, name, qty_on_hand, lastSold, recommended }) => ({
        locationId: id,
        locationName: name,
        qty_on_hand,
        lastSold,
        recommended,
      }),
    ),
    setDestinations: given.sets.map(({ number, name, qty_required, qty_on_hand }) => ({
      number,
      name,
      qty_required,
      qty_on_hand,
    })),
    lots: given.lots.flatMap(({ lotId, colorId }) =>
      lotId === null ? [] : { id: lotId, color_id: colorId },
    ),
  };
}

/** The draft of an add from the card, for a batch. */
export function draftOfProcessed(batch: BatchHead): Draft {
  const processed = clientStore.get("itemBeingProcessed");
  const selected = clientStore.get("selectedIdentifiedItem");
  const { itemType, colorId } = processed;
  if (itemType === null || colorId === null) throw new Error("There is no item to add.");
  return {
    batchId: batch.id,
    batchName: batch.name,
    batchPieces: batch.batch_item_item_count,
    lotId: processed.lotId,
    itemNumber: processed.itemNumber,
    itemName: processed.itemName,
    itemType,
    imageUrl: selected?.img_url ?? null,
    colorId,
    colorName: processed.colorName,
    colorHtml: processed.colorHtml || null,
    condition: processed.condition,
    price: processed.price,
  };
}

/** Updates the client store when the card renders. */
export function useProcessed(onCard: OnCard, matches: readonly CatalogItem[]): void {
  const { item, color } = onCard;
  useLayoutEffect(() => {
    const before = clientStore.get("itemBeingProcessed");
    clientStore.set("itemBeingProcessed", { ...before, ...processedOf(onCard) });
  });
  useLayoutEffect(() => {
    clientStore.set("identifiedItems", matches.map(identifiedOf));
  }, [matches]);
  useLayoutEffect(() => {
    const selected = item && selectedOf(item);
    const picture = color?.imageUrl ?? item?.image_url ?? null;
    clientStore.set("selectedIdentifiedItem", selected && { ...selected, img_url: picture });
  }, [item, color?.imageUrl]);
  useLayoutEffect(
    () => () => {
      // The search mode and the condition are kept: they are the person's settings.
      const { searchType, condition } = clientStore.get("itemBeingProcessed");
      clientStore.clear("itemBeingProcessed");
      clientStore.set("itemBeingProcessed.searchType", searchType);
      clientStore.set("itemBeingProcessed.condition", condition);
      clientStore.clear("identifiedItems");
      clientStore.clear("selectedIdentifiedItem");
    },
    [],
  );
}
