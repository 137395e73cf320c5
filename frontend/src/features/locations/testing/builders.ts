import type { LabelLayout } from "../labels";
import type { ContainerType, Location } from "../model";

/** An empty location without limits; name what matters. */
export function aLocation(values: Partial<Location> = {}): Location {
  return {
    id: 7,
    name: "A-01",
    code: "A-01",
    description: "",
    inventory_container_type_id: null,
    inventory_container_type_name: null,
    size_class: null,
    max_item_count: null,
    max_total_weight: null,
    min_item_weight: null,
    max_item_weight: null,
    available_item_count: null,
    available_weight: null,
    item_count: 0,
    lot_count: 0,
    stored_weight: "0.0000",
    unknown_weight_count: 0,
    exclude_from_recommendations: false,
    is_full: false,
    labelPrintedAt: null,
    lastCountedAt: null,
    createdAt: "2026-01-02T03:04:05Z",
    updatedAt: "2026-01-02T03:04:05Z",
    ...values,
  };
}

/** A drawer that one location is of, without limits. */
export function aContainerType(values: Partial<ContainerType> = {}): ContainerType {
  return {
    id: 3,
    name: "Drawer",
    size_class: "",
    label_size: "",
    max_item_count: null,
    max_total_weight: null,
    min_item_weight: null,
    max_item_weight: null,
    location_count: 1,
    createdAt: "2026-01-02T03:04:05Z",
    updatedAt: "2026-01-02T03:04:05Z",
    ...values,
  };
}

/** A sheet of six: two columns, three rows. */
export function aLayout(values: Partial<LabelLayout> = {}): LabelLayout {
  return {
    id: "avery_l7160",
    name: "Six on a sheet",
    is_roll: false,
    takes_addresses: true,
    per_page: 6,
    width: 120,
    height: 110,
    label_width: 50,
    label_height: 30,
    columns: 2,
    rows: 3,
    left: 5,
    top: 5,
    across: 55,
    down: 35,
    ...values,
  };
}
