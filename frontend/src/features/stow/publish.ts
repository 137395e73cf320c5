/**
 * Writes what is on the card into the client store, for who reads it there. The station itself reads
 * the card.
 */
import { replaceEqualDeep } from "@tanstack/react-query";
import { useLayoutEffect } from "react";
import { identifiedOf, type SetDestination, selectedOf } from "@/features/catalog/public";
import { clientStore } from "@/shared/store/clientStore";
import type { ClientState } from "@/shared/store/schema";
import type { Asked } from "./asked";
import type { Resolved } from "./resolve";

type Shown = Resolved & { asked: Asked; sets: readonly SetDestination[] };

function processedOf(shown: Shown): Omit<ClientState["itemBeingProcessed"], "searchType"> {
  const { asked, item, color, colors, bins, price, sets } = shown;
  const destinations = bins.destination ? [bins.destination, ...bins.alternatives] : [];
  return {
    itemNumber: item?.item_number ?? "",
    itemName: item?.item_name ?? "",
    itemType: item?.item_type ?? null,
    colorId: color?.colorId ?? null,
    lotId: color?.lotId ?? null,
    colorName: color?.name ?? "",
    colorHtml: color?.html ?? "",
    price,
    quantity: asked.card.quantity,
    locationId: bins.bin?.id ?? null,
    locationName: bins.bin?.name ?? "",
    condition: asked.condition,
    partDestinations: destinations.map(({ id, name, qty_on_hand, lastSold, recommended }) => ({
      locationId: id,
      locationName: name,
      qty_on_hand,
      lastSold,
      recommended,
    })),
    setDestinations: sets.map(({ number, name, qty_required, qty_on_hand }) => ({
      number,
      name,
      qty_required,
      qty_on_hand,
    })),
    // Out of the bin on the card, like the rest that is known of it.
    lastSoldDate: bins.destination?.lastSoldDate ?? null,
    lots: colors.shown.flatMap(({ lotId, colorId }) =>
      lotId === null ? [] : { id: lotId, color_id: colorId },
    ),
  };
}

export function usePublished(shown: Shown): void {
  const { item, color, matches } = shown;
  useLayoutEffect(() => {
    const before = clientStore.get("itemBeingProcessed");
    // What is the same is not written: its readers would be drawn again.
    const now = replaceEqualDeep(before, { ...before, ...processedOf(shown) });
    if (now !== before) clientStore.set("itemBeingProcessed", now);
  });
  useLayoutEffect(() => {
    clientStore.set("identifiedItems", matches.items.map(identifiedOf));
  }, [matches.items]);
  useLayoutEffect(() => {
    const picture = color?.imageUrl ?? item?.image_url ?? null;
    clientStore.set("selectedIdentifiedItem", item && { ...selectedOf(item), img_url: picture });
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
