/**
 * The item on the card, in the client store: the matches, the marked one, and the item as it would
 * be added now. It is written in the commit that computes it; what the store has a field for is
 * drawn, chosen and added from there, so that the added item is the one on the screen.
 */
import { replaceEqualDeep } from "@tanstack/react-query";
import { useLayoutEffect } from "react";
import type { BatchHead, SetDestination } from "@/features/catalog/public";
import {
  type CatalogItem,
  type ColorOption,
  identifiedOf,
  selectedOf,
} from "@/features/catalog/public";
import type { Bin } from "@/features/locations/public";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import type { ClientState } from "@/shared/store/schema";
import type { Condition, Destination } from "../model";
import type { Draft } from "../session/session";

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
export function processedOf(given: OnCard): Omit<Processed, "searchType"> {
  const { item, color, bin, destinations } = given;
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
    partDestinations: destinations.map(({ id, name, qty_on_hand, lastSold, recommended }) => ({
      locationId: id,
      locationName: name,
      qty_on_hand,
      lastSold,
      recommended,
    })),
    setDestinations: given.sets.map(({ number, name, qty_required, qty_on_hand }) => ({
      number,
      name,
      qty_required,
      qty_on_hand,
    })),
    // Out of the bin on the card, like the rest that is known of it.
    lastSoldDate: destinations.find(({ id }) => id === bin?.id)?.lastSoldDate ?? null,
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

/** The pieces on the card and their bin, as they are added. */
export function piecesOfProcessed(): { quantity: number; bin: Bin | null } {
  const { quantity, locationId, locationName } = clientStore.get("itemBeingProcessed");
  return { quantity, bin: locationId === null ? null : { id: locationId, name: locationName } };
}

/** What is known of the lot in the bin on the card; null where the bin is the person's own. */
export function useLotInBin(): Processed["partDestinations"][number] | null {
  const bin = useClientState("itemBeingProcessed.locationId");
  const all = useClientState("itemBeingProcessed.partDestinations");
  return all.find(({ locationId }) => locationId === bin) ?? null;
}

/** Updates the client store when the card renders. */
export function useProcessed(onCard: OnCard, matches: readonly CatalogItem[]): void {
  const { item, color } = onCard;
  useLayoutEffect(() => {
    const before = clientStore.get("itemBeingProcessed");
    // What is the same is not written: its readers would be drawn again.
    const now = replaceEqualDeep(before, { ...before, ...processedOf(onCard) });
    if (now !== before) clientStore.set("itemBeingProcessed", now);
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
