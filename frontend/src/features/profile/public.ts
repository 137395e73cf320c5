export { useSavePreferences } from "./mutations";
export { type Preferences, profileQueries } from "./queries";
