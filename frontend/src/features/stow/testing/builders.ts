/** The least that a row of a sitting needs; a test names what it is about. */
import type { Location } from "@/features/locations/public";
import type { Destination } from "../model";
import type { Added, Draft } from "../session";

export function makeDraft(given: Partial<Draft> = {}): Draft {
  return {
    batchId: 7,
    batchName: "Attic finds",
    batchPieces: 40,
    lotId: 10,
    itemNumber: "3001",
    itemName: "Brick 2 x 4",
    itemType: "PART",
    imageUrl: null,
    colorId: 5,
    colorName: "Red",
    colorHtml: "#C91A09",
    condition: "U",
    price: "0.1200",
    ...given,
  };
}

export function makeAdded(given: Partial<Added> = {}): Added {
  return {
    key: "a",
    draft: makeDraft(),
    quantity: 1,
    bin: { id: 3, name: "A-01" },
    stow: false,
    ...given,
  };
}

export function makeDestination(given: Partial<Destination> = {}): Destination {
  return {
    id: 1,
    name: "A-01",
    qty_on_hand: 0,
    lastSold: "unknown",
    recommended: false,
    reason: "empty",
    available_item_count: null,
    item_count: 0,
    max_item_count: null,
    stored_weight: "0.0000",
    max_total_weight: null,
    inventory_container_type_name: null,
    ...given,
  };
}

export function makeLocation(given: Partial<Location> = {}): Location {
  return {
    id: 1,
    name: "A-01",
    code: "A-01",
    description: "",
    inventory_container_type_id: null,
    inventory_container_type_name: null,
    max_item_count: null,
    max_total_weight: null,
    min_item_weight: null,
    max_item_weight: null,
    available_item_count: null,
    available_weight: null,
    item_count: 0,
    lot_count: 0,
    stored_weight: "0.0000",
    exclude_from_recommendations: false,
    is_full: false,
    labelPrintedAt: null,
    lastCountedAt: null,
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: "2026-01-01T00:00:00Z",
    ...given,
  };
}
