/** Sets and their parts as the wire spells them. */

import type { Schema } from "@/shared/api/wire";
import { keysOf } from "@/shared/lib/records";

export type SetState = Schema<"UserSetState">;
export type SubCondition = "" | "C" | "I" | "M";

export const stateNames: Record<SetState, string> = {
  to_check: "To check",
  to_build: "To build",
  in_progress: "In progress",
  complete: "Complete",
  for_sale: "For sale",
  sold: "Sold",
};

const OPEN_STATES: readonly SetState[] = ["to_check", "to_build", "in_progress"];

/** Whether parts are put aside for it while sorting. */
export const isOpen = (state: SetState): boolean => OPEN_STATES.includes(state);

export const stateOptions = keysOf(stateNames).map((value) => ({
  value,
  label: stateNames[value],
}));

export const subConditionOptions = [
  { value: "", label: "Not said" },
  { value: "M", label: "Sealed" },
  { value: "C", label: "Complete" },
  { value: "I", label: "Incomplete" },
] as const;

export type UserSet = Schema<"UserSetRow">;

export type SetSummary = Schema<"SummaryRow">;

export type SetPart = Schema<"SetPartRow">;

export type LeftOutLine = Schema<"LeftOutRow">;

export type AddedMany = Schema<"AddedManyRow">;

export type PartedOut = Schema<"PartOutRow">;

export type BuildSearch = Schema<"BuildSearchRow">;

export type BuildableSet = Schema<"BuildableSetRow">;

/** All open sets whose parts are known. */
export type SetOverview = Schema<"OverviewRow">;
