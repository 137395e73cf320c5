/** A sync of stock and store as the server sends it. */
import type { Schema } from "@/shared/api/wire";

export const DIFFERENCES = [
  "sold",
  "gone",
  "taken",
  "linked",
  "created",
  "lowered",
  "raised",
  "put_up",
  "removed",
  "changed",
] as const;
export type DifferenceKind = Schema<"SyncDifferenceKindEnum">;

export type StoreSync = Schema<"StoreSyncRowOut">;

export type RowState = Schema<"SyncDifferenceStateEnum">;

export type SyncDifference = Schema<"SyncDifference">;
