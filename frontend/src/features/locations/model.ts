import type { MovementReason } from "@/shared/lib/movementReasons";

/** Places with a name, and kinds of them, as the wire spells them. Weights are grams. */
export type Limits = {
  max_item_count: number | null;
  max_total_weight: string | null;
  min_item_weight: string | null;
  max_item_weight: string | null;
};

/** A small one keeps the colours of an item apart. apps/locations/rules/sizes decides. */
export const SIZE_CLASSES = [
  { value: "small", label: "Small", means: "one colour of an item, no other beside it" },
  { value: "medium", label: "Medium", means: "colours of an item may lie together" },
  { value: "large", label: "Large", means: "colours of an item may lie together" },
] as const;
/** Empty: unknown. */
export type SizeClass = (typeof SIZE_CLASSES)[number]["value"] | "";

export const sizeName = (size: SizeClass | null): string =>
  SIZE_CLASSES.find(({ value }) => value === size)?.label ?? "–";

export type Location = Limits & {
  id: number;
  name: string;
  code: string;
  description: string;
  inventory_container_type_id: number | null;
  inventory_container_type_name: string | null;
  /** Of its container type; null without one. */
  size_class: SizeClass | null;
  available_item_count: number | null;
  available_weight: string | null;
  item_count: number;
  lot_count: number;
  stored_weight: string;
  /** Pieces that are not in `stored_weight`. */
  unknown_weight_count: number;
  exclude_from_recommendations: boolean;
  is_full: boolean;
  /** Null: no label says its name. */
  labelPrintedAt: string | null;
  lastCountedAt: string | null;
  createdAt: string;
  updatedAt: string;
};

/** As much of a location as the shelf map draws. */
export type MapCell = Pick<
  Location,
  | "id"
  | "name"
  | "inventory_container_type_name"
  | "item_count"
  | "max_item_count"
  | "stored_weight"
  | "unknown_weight_count"
  | "max_total_weight"
  | "min_item_weight"
  | "max_item_weight"
  | "is_full"
  | "exclude_from_recommendations"
>;

export type ContainerType = Limits & {
  id: number;
  name: string;
  size_class: SizeClass;
  /** The paper that labels of its locations begin with; empty: the one used last. */
  label_size: string;
  location_count?: number;
  createdAt: string;
  updatedAt: string;
};

/** An item that lies in a location in several colours. */
export type LookAlike = {
  item_number: string;
  part_name: string;
  colors: readonly { color_name: string; color_html: string; quantity: number }[];
};

/** One line of the ledger: pieces that came into a location, or went out of it. */
export type LocationMovement = {
  id: number;
  delta: number;
  reason: MovementReason;
  by_name: string | null;
  from_location_name: string | null;
  to_location_name: string | null;
  note: string;
  item_id: number;
  item_number: string;
  part_name: string;
  color_name: string;
  createdAt: string;
};

/** An item that keeps a location from being deleted. */
export type ConflictItem = { id: number; name: string; number: string; quantity: number };
