export { ApiTokens } from "./ApiTokens";
export { useSavePreferences, useSaveProfile } from "./mutations";
export { type Preferences, profileQueries, useCurrency } from "./queries";
export { Webhooks } from "./Webhooks";
