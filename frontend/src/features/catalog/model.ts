/** The catalogue as the wire carries it: items, their colours (lots), the colour list. */
import type { Schema } from "@/shared/api/wire";
import type { ItemType } from "@/shared/lib/itemTypes";
import type { Region } from "@/shared/lib/regions";

/** An item that matched a search. `score` is from 0 to 1, 1 for the best match. */
export type CatalogItem = Pick<
  Schema<"ItemRow">,
  "id" | "item_number" | "item_name" | "item_type" | "category" | "weight" | "image_url" | "score"
> &
  Partial<Pick<Schema<"ItemRow">, "color_id" | "color_text" | "asked">> & {
    /** Of an item that was seen on a picture. */
    external_sites?: readonly ExternalSite[];
    lots?: readonly { id: number }[];
  };

export type ExternalSite = Schema<"SiteRow">;

/** An item in a colour, with what it is worth if that is known. Money is decimal text per piece. */
export type CatalogLot = Pick<
  Schema<"PricedLotRow">,
  | "id"
  | "lot_id"
  | "item_number"
  | "item_type"
  | "color_id"
  | "color_name"
  | "color_html"
  | "image_url"
  | "is_known"
  | "reference_price"
  | "reference_basis"
  | "suggested_price"
  | "suggested_basis"
  | "bricklinkSyncedAt"
  | "figures_are_old"
> &
  Partial<Pick<Schema<"PricedLotRow">, PriceFigure>>;

export type PriceCondition = "used" | "new";
export type PriceRegion = Region;
export type PriceMeasure = "avg_sold_price" | "avg_inventory_price" | "low_price" | "sell_through";
export type PriceFigure = `${PriceCondition}_${PriceRegion}_${PriceMeasure}`;

export type Color = Schema<"ColorRow">;

/** A row of the person's stock of an item. */
export type Owned = Schema<"OwnedRow">;

/** A batch to add to. */
export type BatchHead = Pick<
  Schema<"BatchRow">,
  "id" | "name" | "is_archived" | "batch_item_item_count" | "batch_item_lot_count" | "createdAt"
>;

/** What the address calls an item: its type and number, since ids differ between installations. */
export type ItemKey = `${ItemType}:${string}`;

export const itemKeyOf = (item: Pick<CatalogItem, "item_type" | "item_number">): ItemKey =>
  `${item.item_type}:${item.item_number}`;

/** A line of what an item is made of. */
export type Component = Schema<"ComponentRow">;

/** An item that another is a part of, and how many of it. */
export type ContainingItem = Schema<"ContainingItemRow">;

export type RegionFigures = Schema<"FiguresRow">;

export type PricePoint = Schema<"PointRow">;
