import type { ActKind } from "../acts/ActDialog";
import type { BatchItem, FailedItem } from "../model";
import type { ItemChoice } from "../operations";

/** Rows that an act is about: many from the selection, or the one whose menu was opened. */
export type Chosen = {
  items: ItemChoice;
  count: number;
  known: readonly BatchItem[];
  clear: () => void;
};

/** What a job of stowing has done and refused: `count` rows, of which it lists the first ones. */
export type LeftByJob = { jobId: string; done: number; refused: FailedItem[]; count: number };

/** Dialogs about the batch as it is. */
export type PlainDialog = "add" | "edit" | "delete" | "log" | "label" | "charts" | "import";

/** What is open over the batch. */
export type Dialog =
  | { kind: Exclude<PlainDialog, "import"> }
  /** `refused`: the key of a file that a reload cut off. */
  | { kind: "import"; refused?: string }
  | { kind: "remove" | "list"; chosen: Chosen }
  | { kind: "stow"; chosen: Chosen; left?: LeftByJob }
  | { kind: "act"; act: ActKind; chosen: Chosen }
  | { kind: "editItem"; item: BatchItem }
  | { kind: "plan"; ids: readonly number[]; item?: BatchItem; clear: () => void }
  | { kind: "refused"; title: string; items: FailedItem[]; total?: number };

export const nothing = () => undefined;

/** One row, as its own menu means it. */
export const justThis = (item: BatchItem): Chosen => ({
  items: [item.id],
  count: 1,
  known: [item],
  clear: nothing,
});

/** Every item of a batch that an act is for, `count` of them. */
export const wholeBatch = (count: number): Chosen => ({
  items: "all",
  count,
  known: [],
  clear: nothing,
});
