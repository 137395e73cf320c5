import type { InventoryItem } from "../model";
import type { InventorySync, SyncRow } from "../sync/model";

/** Some used red bricks in A-01; name what matters. */
export function aStockRow(values: Partial<InventoryItem> = {}): InventoryItem {
  return {
    id: 40,
    lot_id: 5,
    item_number: "3001",
    item_type: "PART",
    part_name: "Brick 2 x 4",
    description: "Brick 2 x 4",
    image_url: "",
    color_id: 5,
    color_name: "Red",
    color_html: "#C91A09",
    is_known: true,
    quantity: 34,
    price: "0.1200",
    cost: "0.0000",
    bulk: 1,
    sale: 0,
    condition: "U",
    sub_condition: "",
    location_id: 7,
    location_name: "A-01",
    remarks: "A-01",
    comments: "",
    reserved: "",
    retain: false,
    stockroom: "",
    status: "I",
    marketplace_lot_id: null,
    batch_id: null,
    batch_name: null,
    batch_count: 0,
    date_last_sold: null,
    createdAt: "2026-01-02T03:04:05Z",
    updatedAt: "2026-01-02T03:04:05Z",
    ...values,
  };
}

/** An import of ten lots that was previewed: two new, one changed, seven as they are. */
export function aSync(values: Partial<InventorySync> = {}): InventorySync {
  return {
    id: 5,
    file_name: "store.bsx",
    file_size: 1000,
    state: "previewed",
    currency: "EUR",
    options: {
      create_locations: true,
      several_locations: "ignore",
      split_quantities: false,
      currency_action: "",
      rate: "",
      repair: false,
    },
    counts: {
      lots: 10,
      created: 2,
      changed: 1,
      zeroed: 0,
      unchanged: 7,
      unreadable: 0,
      unknown: 0,
      warnings: 0,
      in_stock: 8,
      new_locations: 0,
      matched_locations: 0,
      ignored_remarks: 0,
    },
    applied_counts: {},
    applied_lots: 0,
    warnings: [],
    over_limits: [],
    problem: "",
    job_id: null,
    createdAt: "2026-01-02T03:04:05Z",
    appliedAt: null,
    undoneAt: null,
    ...values,
  };
}

export function aSyncRow(values: Partial<SyncRow> = {}): SyncRow {
  return {
    index: 0,
    line: 12,
    inventory_item_id: null,
    lot_id: 5,
    item_number: "3001",
    item_name: "Brick 2 x 4",
    item_type: "P",
    color_id: 5,
    color_name: "Red",
    condition: "U",
    quantity: 4,
    price: "0.1200",
    remarks: "",
    location_name: "",
    reason: "",
    changes: {},
    ...values,
  };
}
