export { useSavePreferences, useSaveProfile } from "./mutations";
export { type Preferences, profileQueries } from "./queries";
