export { ChannelMarks } from "./channels/Marks";
export { type Channel, useChannels } from "./channels/useChannels";
export { IntegrationSettings } from "./IntegrationSettings";
export { ListWithStow } from "./ListWithStow";
export type { ListingAct, Stockroom } from "./listing/model";
export { type StockRows, useStockListing } from "./listing/useStockListing";
export type { PriceRule } from "./model";
export { useRefreshPrices } from "./mutations";
export { PricingSettings } from "./PricingSettings";
export {
  ChannelMark,
  FiguresMissing,
  GetPricesDialog,
  ListDialog,
  ListingDialog,
  LotInStores,
  OldFigures,
  PriceRunNotice,
  PullStore,
  StoreSyncLater,
  UnlistDialog,
} from "./parts";
export { useFreshFigures } from "./prices/useFreshFigures";
export { useGetPrices } from "./prices/useGetPrices";
export { marketplaceQueries } from "./queries";
export { useStoreSync } from "./sync/StoreSync";
export { useHasStore } from "./useHasStore";
