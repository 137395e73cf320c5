export { ApiTokens } from "./ApiTokens";
export { useSavePreferences, useSaveProfile } from "./mutations";
export { People } from "./People";
export { type Preferences, profileQueries, useCurrency } from "./queries";
export { Webhooks } from "./Webhooks";
