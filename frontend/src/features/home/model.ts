/** The home page as the server sends it. Money and ratios are decimal strings. */
import type { Schema } from "@/shared/api/wire";

export type LastAdded = Schema<"LastAddedItem">;

export type Tiles = Schema<"Tiles">;

export type Day = Schema<"DayRow">;
export type Sitting = Schema<"SittingPaceRow">;
export type TypeSum = Schema<"TypeRow">;
export type BatchReturn = Schema<"BatchReturnRow">;
export type SourceReturn = Schema<"SourceReturnRow">;

export type ToDo = Schema<"ToDo">;

export type Health = Schema<"Health">;

export type FirstStepsDone = Schema<"FirstSteps">;

export type Home = Schema<"HomeRow">;
