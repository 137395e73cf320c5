/** Batches and their items as the wire spells them. */
import type { Schema } from "@/shared/api/wire";

export type ItemState = Schema<"BatchItemState">;
export type StateFilter = "all" | ItemState;

export type BatchStats = Schema<"StatsRow">;

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

export type Batch = Schema<"BatchRow">;

/** Whose history names what was done to the rows of a batch. */
export const historyKeyOf = ({ id }: Pick<Batch, "id">): string => `batchItems:${id}`;

export type BatchItem = Schema<"BatchItemRow">;

/** A colour as the colour column offers it. */
export type ColorChoice = { id: number; name: string; color_html: string | null };

/** A row that an operation refused. */
export type FailedItem = Schema<"FailedItem">;

export type OperationKind = Schema<"OperationKind">;

export type Operation = Schema<"OperationRow">;

export type ActVerb =
  | "reprice"
  | "spreadCost"
  | "recommendLocations"
  | "consolidate"
  | "split"
  | "moveItems"
  | "merge";

/** A row of what an act does: before and after differ by its kind. */
export type ActedItem = Schema<"ActedItem">;

/** What an act would do (dry run) or did; `act_id` takes it back. */
export type Acted = Schema<"ActedRow">;
