/** Items as the client store has them: those that a search or a picture found, and the chosen one. */
import type { ClientState } from "@/shared/store/schema";
import type { CatalogItem } from "./model";

type Identified = ClientState["identifiedItems"][number];
type Selected = NonNullable<ClientState["selectedIdentifiedItem"]>;

export const identifiedOf = (item: CatalogItem): Identified => ({
  id: item.id,
  item_id: item.id,
  item_number: item.item_number,
  item_name: item.item_name,
  item_type: item.item_type,
  image_url: item.image_url,
  score: item.score ?? 0,
  category: item.category,
  external_sites: [...(item.external_sites ?? [])],
  lots: [...(item.lots ?? [])],
});

export const selectedOf = (item: CatalogItem & { is_minifigure_item?: boolean }): Selected => ({
  id: item.id,
  item_id: item.id,
  number: item.item_number,
  item_number: item.item_number,
  name: item.item_name,
  type: item.item_type,
  img_url: item.image_url,
  category: item.category,
  weight: item.weight,
  is_minifigure_item: item.is_minifigure_item ?? item.item_type === "MINIFIG",
  lots: [...(item.lots ?? [])],
  external_sites: [...(item.external_sites ?? [])],
});
