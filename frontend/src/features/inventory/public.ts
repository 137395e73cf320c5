export { CurrencySetting } from "./currency/CurrencySetting";
export { LotForm } from "./dialogParts";
export type { InventoryItem } from "./model";
export { useSetPrice } from "./mutations";
export { StocktakeDialog, SyncDialog, UndecidedImport } from "./parts";
export { inventoryQueries } from "./queries";
export { undoImport } from "./sync/mutations";
