/** How stock and store are kept in step, as the server sends it. */
import type { Schema } from "@/shared/api/wire";

export type Schedule = Schema<"ScheduleRow">;
export type Conflict = Schema<"ConflictRow">;
export type Rule = Schedule["conflicts"];

export const every: Record<Schedule["minutes"], string> = {
  0: "Only when I press Sync now",
  10: "Every 10 minutes",
  30: "Every 30 minutes",
  60: "Every hour",
};

export const rules: Record<Rule, string> = {
  mine: "My value wins and is sent to the store",
  theirs: "The store's is taken",
  ask: "Ask me",
};

export const decisions: Record<Conflict["decision"], string> = {
  open: "to be decided",
  mine: "yours stays",
  theirs: "the store's taken",
  agreed: "both agree now",
};
