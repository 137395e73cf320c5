/** The home page as the server sends it. Money and ratios are decimal strings. */
import type { Schema } from "@/shared/api/wire";

export type LastAdded = Schema<"LastAddedItem">;

export type Today = Schema<"Today">;

export type Tiles = Schema<"Tiles">;

export type BatchReturn = Schema<"BatchReturnRow">;

export type Waiting = Schema<"Waiting">;

export type Health = Schema<"Health">;

export type FirstStepsDone = Schema<"FirstSteps">;

export type Home = Schema<"HomeRow">;
