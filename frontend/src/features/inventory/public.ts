export type { InventoryItem } from "./model";
export { LotForm, StocktakeDialog } from "./parts";
export { inventoryQueries } from "./queries";
