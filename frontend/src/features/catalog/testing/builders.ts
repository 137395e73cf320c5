/** The least that a catalogue row needs; a test names what it is about. */
import type { CatalogItem, CatalogLot } from "../model";

export function makeItem(given: Partial<CatalogItem> = {}): CatalogItem {
  return {
    id: 1,
    item_number: "3001",
    item_name: "Brick 2 x 4",
    item_type: "PART",
    category: "Brick",
    weight: "2.3200",
    image_url: null,
    score: 1,
    ...given,
  };
}

export function makeLot(given: Partial<CatalogLot> = {}): CatalogLot {
  const none = {
    avg_sold_price: null,
    avg_inventory_price: null,
    low_price: null,
    sell_through: null,
  };
  const figures = Object.fromEntries(
    ["used", "new"].flatMap((condition) =>
      ["us", "global"].flatMap((region) =>
        Object.keys(none).map((measure) => [`${condition}_${region}_${measure}`, null]),
      ),
    ),
  );
  return {
    id: 10,
    lot_id: given.id ?? 10,
    color_id: 5,
    item_number: "3001",
    item_type: "PART",
    color_name: "Red",
    color_html: "#C91A09",
    image_url: null,
    is_known: true,
    reference_price: null,
    reference_basis: "none",
    // As the rule is at first: what the reference is.
    suggested_price: given.reference_price ?? null,
    suggested_basis: "",
    bricklinkSyncedAt: null,
    figures_are_old: false,
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: "2026-01-01T00:00:00Z",
    composite_ssearch: "3001 brick 2 x 4 red",
    ...(figures as Pick<CatalogLot, never>),
    ...given,
  } as CatalogLot;
}
