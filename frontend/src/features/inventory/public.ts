export type { InventoryItem } from "./model";
export { LotForm } from "./parts";
export { inventoryQueries } from "./queries";
