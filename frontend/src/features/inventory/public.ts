export { CurrencySetting } from "./currency/CurrencySetting";
export { LotForm } from "./dialogParts";
export { useSetPrice } from "./mutations";
export { SyncDialog, UndecidedImport } from "./parts";
export { inventoryQueries } from "./queries";
export { undoImport } from "./sync/mutations";
