/** The types of the station, and its data of batches and stock as the API sends it. */
import type { Schema } from "@/shared/api/wire";
import type { ItemType } from "@/shared/lib/itemTypes";
import type { ClientState } from "@/shared/store/schema";

export type SearchType = ClientState["itemBeingProcessed"]["searchType"];
export type Condition = ClientState["itemBeingProcessed"]["condition"];
export type LastSold = Schema<"LastSoldEnum">;

export type BatchItem = Pick<
  Schema<"BatchItemRow">,
  | "id"
  | "batch_id"
  | "lot_id"
  | "color_id"
  | "color_name"
  | "color_html"
  | "item_number"
  | "item_name"
  | "item_type"
  | "qty"
  | "condition"
  | "price"
  | "user_inventory_item_location_id"
  | "user_inventory_item_location_name"
  | "is_stowed"
  | "createdAt"
  | "image_url"
>;

/**
 * A bin that a lot could go to. `id` and `name` are the location's; `planned`: of its pieces, those
 * that this session planned for it.
 */
export type Destination = Omit<Schema<"DestinationRow">, "lot_id"> & { planned?: number };

/** The name of the bulk tray's pieces in a batch. */
export const BULK_NAME = "Bulk pieces";

export const isBulk = (named: { itemType: ItemType | ""; itemName: string }): boolean =>
  named.itemType === "UNSORTED_LOT" && named.itemName === BULK_NAME;
