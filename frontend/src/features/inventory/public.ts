export type { InventoryItem } from "./model";
export { inventoryQueries } from "./queries";
