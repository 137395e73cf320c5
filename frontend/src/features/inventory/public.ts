export { CurrencySetting } from "./currency/CurrencySetting";
export { LotForm } from "./dialogParts";
export type { InventoryItem } from "./model";
export { useSetPrice } from "./mutations";
export { StocktakeDialog } from "./parts";
export { inventoryQueries } from "./queries";
