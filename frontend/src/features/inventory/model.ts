/** Stock and its ledger as the wire spells them. */
import type { Schema } from "@/shared/api/wire";

export type InventoryItem = Schema<"InventoryItemRow">;

/** One line of the ledger: so many pieces in or out of a row, and why. */
export type Movement = Schema<"MovementRow">;

/** What there is of a lot in one condition, and where: at most 20 places. */
export type LotGroup = Schema<"LotRow">;

/** Which rows something is done to: named ones, or all that the list's filters let through. */
export type { StockRows as ChosenRows } from "@/features/marketplace/public";
