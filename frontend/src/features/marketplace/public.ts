export { CallsLeft } from "./CallsLeft";
export { IntegrationSettings } from "./IntegrationSettings";
export { ListWithStow } from "./ListWithStow";
export type { ListingAct, ListingStarted, Stockroom } from "./listing/model";
export { type StockRows, useStockListing } from "./listing/useStockListing";
export type { Connection, PriceRule } from "./model";
export { useRefreshPrices, useSavePriceRule } from "./mutations";
export { PricingSettings } from "./PricingSettings";
export {
  FiguresMissing,
  GetPricesDialog,
  ListDialog,
  ListingDialog,
  OldFigures,
  PriceRunNotice,
  PullStore,
  StoreSyncLater,
  UnlistDialog,
} from "./parts";
export type { PricesOf } from "./prices/model";
export { useFreshFigures } from "./prices/useFreshFigures";
export { useGetPrices } from "./prices/useGetPrices";
export { marketplaceQueries } from "./queries";
export { StoreSync, useStoreSync } from "./sync/StoreSync";
export { useHasStore } from "./useHasStore";
