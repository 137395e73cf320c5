/** A sync of stock and store as the server sends it. */

export const DIFFERENCES = [
  "sold",
  "gone",
  "lowered",
  "removed",
  "changed",
  "linked",
  "only_there",
] as const;
export type DifferenceKind = (typeof DIFFERENCES)[number];

export type StoreSyncState =
  | "planning"
  | "planned"
  | "applying"
  | "applied"
  | "failed"
  | "cancelled";

export type StoreSync = {
  id: number;
  batch_id: number | null;
  batch_name: string | null;
  state: StoreSyncState;
  job_id: string | null;
  /** Lots by how they differ; `not_listed` are stock rows without a lot in the store. */
  counts: Record<DifferenceKind | "same" | "not_listed", number>;
  /** Lots that vanish, here or there: their number is typed. */
  removals: number;
  reason: string;
  appliedAt: string | null;
  createdAt: string;
};

export type RowState = "planned" | "applied" | "skipped" | "failed";

export type SyncDifference = {
  id: number;
  kind: DifferenceKind;
  name: string;
  marketplace_lot_id: number;
  quantity_here: number;
  quantity_there: number;
  changes: { field: "price" | "remarks" | "comments"; here: string; there: string }[];
  state: RowState;
  reason: string;
};
