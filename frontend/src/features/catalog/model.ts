/** The catalogue as the wire carries it: items, their colours (lots), the colour list. */
import type { ItemType } from "@/shared/lib/itemTypes";

/** An item that matched a search. `score` (0 to 1) tells how well. */
export type CatalogItem = {
  id: number;
  item_number: string;
  item_name: string;
  item_type: ItemType;
  category: string | null;
  /** Grams, as decimal text. */
  weight: string | null;
  image_url: string | null;
  score: number;
  /** The colour that the search named beside the item ("3001 red"), or that an element id means. */
  color_id?: number | null;
  /** Words of the search that may mean several of its colours ("3023 blu"). */
  color_text?: string | null;
  /** The number that it answers to, where several were searched at once. */
  asked?: string | null;
  /** Of an item that was seen on a picture. */
  external_sites?: readonly ExternalSite[];
  lots?: readonly { id: number }[];
};

export type ExternalSite = { name: string; url: string };

export type CatalogItemDetail = CatalogItem & {
  is_minifigure_item: boolean;
  is_retired: boolean;
  year_released: number | null;
  dimensions: string;
  external_sites: ExternalSite[];
};

/** An item in a colour, with what it is worth. Money is decimal text per piece. */
export type CatalogLot = {
  id: number;
  lot_id: number;
  color_id: number;
  item_number: string;
  item_type: ItemType;
  color_name: string;
  color_html: string | null;
  image_url: string | null;
  is_known: boolean;
  reference_price: string | null;
  /** How the reference price was found. */
  reference_basis: "sold" | "asked" | "none";
  /** What the person's price rule makes of the figures. */
  suggested_price: string | null;
  suggested_basis: string;
  bricklinkSyncedAt: string | null;
  createdAt: string;
  updatedAt: string;
  composite_ssearch: string;
} & { [Figure in PriceFigure]: string | null };

export type PriceCondition = "used" | "new";
export type PriceRegion = "us" | "global";
export type PriceMeasure = "avg_sold_price" | "avg_inventory_price" | "low_price" | "sell_through";
export type PriceFigure = `${PriceCondition}_${PriceRegion}_${PriceMeasure}`;

export type Color = {
  id: number;
  name: string;
  color_html: string | null;
  /** In how many parts it exists: how common it is. */
  part_count: number;
};

/** What the address calls an item: its type and number, since ids differ between installations. */
export type ItemKey = `${ItemType}:${string}`;

export const itemKeyOf = (item: Pick<CatalogItem, "item_type" | "item_number">): ItemKey =>
  `${item.item_type}:${item.item_number}`;

/** A line of what an item is made of. */
export type Component = {
  id: number;
  lot_id: number;
  item_id: number;
  item_number: string;
  item_name: string;
  item_type: ItemType;
  color_id: number;
  color_name: string;
  color_html: string | null;
  image_url: string | null;
  quantity: number;
  is_spare: boolean;
  is_alternate: boolean;
  match_id: number;
  is_counterpart: boolean;
};

/** An item that another is a part of, and how many of it. */
export type ContainingItem = CatalogItem & { quantity: number };

export type RegionFigures = {
  condition: "N" | "U";
  region: PriceRegion;
  avg_sold_price: string | null;
  avg_inventory_price: string | null;
  low_price: string | null;
  sell_through: string | null;
  /** Null: not asked for yet. */
  sold_lots: number | null;
  sold_quantity: number | null;
  stock_lots: number | null;
  stock_quantity: number | null;
  bricklinkSyncedAt: string;
};

export type PricePoint = {
  condition: "N" | "U";
  region: PriceRegion;
  /** 2026-01-31 */
  day: string;
  avg_sold_price: string | null;
  avg_inventory_price: string | null;
  low_price: string | null;
};

/** What a lot is and was worth. */
export type LotPrices = {
  lot_id: number;
  currency: string;
  figures: RegionFigures[];
  points: PricePoint[];
};
