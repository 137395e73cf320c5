import { queryOne, queryRows } from "@/shared/api/queries";
import type { Schema } from "@/shared/api/wire";
import { useSideQuery } from "@/shared/ui/sideQuery";

export type Preferences = Schema<"PreferencesRow">;

export const profileQueries = {
  me: () => queryOne(["profile", "me"], "users/me"),
  sessions: () => queryRows(["profile", "sessions"], "users/sessions"),
  preferences: () => queryOne(["profile", "preferences"], "preferences"),
  config: () => ({
    ...queryOne(["profile", "config"], "config"),
    staleTime: Number.POSITIVE_INFINITY,
  }),
};

/** The currency of the account; undefined until it is loaded. */
export const useCurrency = () =>
  useSideQuery(profileQueries.preferences(), "your currency")?.currency;
