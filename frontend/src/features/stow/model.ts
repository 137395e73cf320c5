/** The words of the station, and what it reads of batches and stock as the wire spells it. */
import { formatCount } from "@/shared/lib/format";
import type { ItemType } from "@/shared/lib/itemTypes";
import type { ClientState } from "@/shared/store/schema";

export type SearchType = ClientState["itemBeingProcessed"]["searchType"];
export type Condition = ClientState["itemBeingProcessed"]["condition"];
export type LastSold = "recent" | "moderate" | "old" | "unknown";

export type BatchHead = {
  id: number;
  name: string;
  is_archived: boolean;
  batch_item_item_count: number;
  batch_item_lot_count: number;
  createdAt: string;
};

export type BatchItem = {
  id: number;
  batch_id: number;
  lot_id: number | null;
  color_id: number | null;
  color_name: string;
  color_html: string;
  item_number: string;
  item_name: string;
  item_type: ItemType;
  qty: number;
  condition: Condition;
  price: string | null;
  user_inventory_item_location_id: number | null;
  user_inventory_item_location_name: string | null;
  is_stowed: boolean;
  createdAt: string;
  updatedAt: string;
  image_url: string;
};

/** A bin that a lot could go to. `id` and `name` are the location's. */
export type Destination = {
  id: number;
  name: string;
  qty_on_hand: number;
  lastSold: LastSold;
  recommended: boolean;
  reason: string;
  /** Pieces that still fit; null: unlimited. */
  available_item_count: number | null;
  item_count: number;
  max_item_count: number | null;
  /** Grams in it, and how many it takes; null: unlimited. */
  stored_weight: string;
  max_total_weight: string | null;
  /** Pieces in it that its weight leaves out. */
  unknown_weight_count: number;
  inventory_container_type_name: string | null;
};

/** A row of stock that the person has of an item. */
export type Owned = {
  item_id: number;
  lot_id: number;
  location_id: number | null;
  location_name: string | null;
  condition: Condition;
  quantity: number;
  price: string | null;
};

export type Preferences = { currency: string };

/** "1 piece", "1,284 pieces". */
export function piecesText(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "piece" : "pieces"}`;
}

/** What the pieces in the bulk tray are called in a batch. */
export const BULK_NAME = "Bulk pieces";

export const isBulk = (named: { itemType: ItemType; itemName: string }): boolean =>
  named.itemType === "UNSORTED_LOT" && named.itemName === BULK_NAME;
