export { CallsLeft } from "./CallsLeft";
export { IntegrationSettings } from "./IntegrationSettings";
export { ListWithStow } from "./ListWithStow";
export { basisNames, type Connection, type PriceRule } from "./model";
export { useRefreshPrices, useSavePriceRule } from "./mutations";
export { PricingSettings } from "./PricingSettings";
export { StoreSyncLater } from "./parts";
export { marketplaceQueries } from "./queries";
export { StoreSync } from "./sync/StoreSync";
