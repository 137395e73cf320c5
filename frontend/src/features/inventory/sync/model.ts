import type { SeveralChoice, SeveralQuestion } from "@/features/locations/public";

/** BSX imports over the stock ("syncs") as the wire spells them. */
export type SyncState =
  | "previewing"
  | "previewed"
  | "applying"
  | "applied"
  | "undoing"
  | "undone"
  | "cancelled"
  | "failed";

export type SyncCounts = {
  /** Lots in the file. */
  lots: number;
  created: number;
  changed: number;
  zeroed: number;
  unchanged: number;
  unreadable: number;
  /** Lots that the catalogue does not know: each lot is counted once. */
  unknown: number;
  /** How many of the unknown ones are made, and changed. */
  unknown_created: number;
  unknown_changed: number;
  warnings: number;
  /** Rows that hold something now: what "more than 10 %" is measured against. */
  in_stock: number;
  /** The number to type before it is applied; 0 for none. */
  to_confirm: number;
  new_locations: number;
  /** Locations of the store that Remarks name. */
  matched_locations: number;
  /** Lots whose Remarks say something, but name no location. */
  ignored_remarks: number;
};

export type SyncOptions = SeveralChoice & {
  create_locations: boolean;
  currency_action: "" | "relabel" | "convert" | "stop";
  rate: string;
  repair: boolean;
};

export type SyncWarning = {
  code: string;
  message: string;
  file_currency?: string;
  store_currency?: string;
} & Partial<SeveralQuestion>;

export type OverLimit = {
  id: number;
  name: string;
  item_count: number;
  max_item_count: number | null;
  stored_weight: string;
  max_total_weight: string | null;
};

export type InventorySync = {
  id: number;
  file_name: string;
  file_size: number;
  state: SyncState;
  currency: string;
  options: SyncOptions;
  /** Empty until the preview is there. */
  counts: Partial<SyncCounts> & { can_repair?: boolean };
  applied_counts: Partial<SyncCounts>;
  /** Lots that were applied so far and not undone: what a cancelled one left behind. */
  applied_lots?: number;
  warnings: SyncWarning[];
  over_limits: OverLimit[];
  problem: string;
  job_id: string | null;
  createdAt: string;
  appliedAt: string | null;
  undoneAt: string | null;
};

export const ROW_KINDS = [
  "created",
  "changed",
  "zeroed",
  "unknown",
  "unreadable",
  "warnings",
] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** One lot of the file, or one row that the file lacks, and what becomes of it. */
export type SyncRow = {
  index: number;
  line: number;
  inventory_item_id: number | null;
  lot_id: number | null;
  item_number: string;
  item_name: string;
  item_type: string;
  color_id: number | null;
  color_name: string;
  condition: "N" | "U";
  quantity: number;
  price: string;
  remarks: string;
  location_name: string;
  reason: string;
  becomes: "created" | "changed" | "zeroed" | "unchanged" | "unreadable";
  changes: Record<string, { before: unknown; after: unknown }>;
};

/** A value of a lot that was read in another form than it was written. */
export type WarningRow = {
  index: number;
  line: number;
  code: string;
  field: string;
  message: string;
};

/** A lot that could not be imported. */
export type FailedSyncItem = { error: string; context: string };

/** A row that somebody changed after the import wrote it. */
export type ChangedSince = {
  id: number;
  number: string;
  name: string;
  quantity: number;
  location_name: string | null;
  updatedAt: string;
};
