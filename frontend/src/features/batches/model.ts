/** Batches and their items as the wire spells them. */
import type { Condition } from "@/shared/ui/Lot";

export type ItemState = "new" | "stowed" | "listed";
export type StateFilter = "all" | ItemState;

export type BatchStats = {
  total_items: number;
  total_lots: number;
  total_value: string;
  lots_without_price: number;
  new_items: number;
  stowed_items: number;
  listed_items: number;
  new_lots: number;
  stowed_lots: number;
  listed_lots: number;
};

/** What a batch can be, as its status_id and status_name say. */
export const STATUSES = [
  { id: 1, name: "New" },
  { id: 2, name: "In progress" },
  { id: 3, name: "Stowed" },
  { id: 4, name: "Listed" },
  { id: 5, name: "Empty" },
] as const;

export const PROGRESS_FLAGS = [
  "isStowing",
  "isListing",
  "isExporting",
  "isRemoving",
  "isUpdating",
] as const;
export type ProgressFlag = (typeof PROGRESS_FLAGS)[number];

export type Batch = {
  id: number;
  name: string;
  description: string;
  source_id: number | null;
  source_name: string | null;
  cost_total: string | null;
  gross_weight: string | null;
  /** Pieces that were thrown out as not LEGO; null: nobody counted. */
  foreign_count: number | null;
  /** Of a batch that was won in an auction: its picture, its listing here and at the site. */
  image_url?: string;
  listing_id?: number | null;
  listing_url?: string | null;
  is_archived: boolean;
  archivedAt: string | null;
  createdAt: string;
  updatedAt: string;
  created_at: string;
  status_id: number;
  status_name: string;
  batch_item_item_count: number;
  batch_item_lot_count: number;
  total_value: string;
  stats: BatchStats;
  /** The percent done of each flag that is up, where its job can tell. */
  progress: Partial<Record<ProgressFlag, number>>;
} & Record<ProgressFlag, boolean>;

export type BatchItem = {
  id: number;
  batch_id: number;
  lot_id: number | null;
  /** Of the catalogue; null where that does not know it. */
  item_id: number | null;
  color_id: number | null;
  color_name: string;
  color_html: string;
  item_number: string;
  item_name: string;
  item_type: string;
  is_known: boolean;
  qty: number;
  condition: Condition;
  sub_condition: string;
  price: string | null;
  cost: string;
  /** What we would ask; null where nobody knows. `sold`: what was paid, `asked`: what others ask. */
  reference_price: string | null;
  reference_basis: "sold" | "asked" | "none";
  user_inventory_item_location_id: number | null;
  user_inventory_item_location_name: string | null;
  user_inventory_item_id: number | null;
  state: ItemState;
  is_stowed: boolean;
  is_stowed_pending: boolean;
  is_listed: boolean;
  is_listed_pending: boolean;
  is_changed_since_listing: boolean;
  /** Why it is not stowed, or not listed, although that was tried; else empty. */
  failure: string;
  createdAt: string;
  updatedAt: string;
  stowedAt: string | null;
  listedAt: string | null;
  image_url: string | null;
  comments: string;
  remarks: string;
  bulk: number;
  sale: number;
  reserved: string;
  tq1: number;
  tp1: string;
  tq2: number;
  tp2: string;
  tq3: number;
  tp3: string;
  retain: boolean;
  stockroom: string;
  status: string;
  unit_weight_grams: string | null;
  marker_text: string;
  marker_color: string;
};

/** A colour as the colour column offers it. */
export type ColorChoice = { id: number; name: string; color_html: string | null };

/** A row that an operation refused. */
export type FailedItem = {
  id: number;
  reason: string;
  name: string;
  /** The limits of a location that it would break. */
  limits?: { name: string; limit: string; room: string; wanted: string; can_override: boolean }[];
};

export type OperationKind = "sync" | "stow" | "remove" | "list" | "markListed";

export type Operation = {
  id: number;
  kind: OperationKind;
  outcome: "success" | "error";
  item_count: number;
  failed_count: number;
  failed: FailedItem[];
  /** The first thousand that were done. */
  items: readonly { id: number; name: string }[];
  message: string;
  by_name: string | null;
  createdAt: string;
};

export type ActVerb =
  | "reprice"
  | "spreadCost"
  | "recommendLocations"
  | "consolidate"
  | "split"
  | "moveItems"
  | "merge";

/** A row of what an act does: before and after differ by its kind. */
export type ActedItem = {
  id: number;
  name: string;
  quantity?: number;
  before?: string | { id: number; qty: number; price: string | null }[];
  after?: string | { qty: number; price: string | null };
  found_by?: string;
  is_marked?: boolean;
  sum?: string;
  lots?: number;
  items?: number;
};

/** What an act would do (dry run) or did; `act_id` takes it back. */
export type Acted = {
  kind: string;
  dry_run: boolean;
  act_id: number | null;
  note: string;
  item_count: number;
  figures: Record<string, number | string | null>;
  rows: ActedItem[];
  warnings: string[];
  failed: FailedItem[];
  failed_count: number;
};
