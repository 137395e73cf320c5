import { queryOne, queryRows } from "@/shared/api/queries";
import type { Schema } from "@/shared/api/wire";

export type Preferences = Schema<"PreferencesRow">;

export type SessionRow = Schema<"SessionRow">;

export const profileQueries = {
  me: () => queryOne(["profile", "me"], "users/me"),
  sessions: () => queryRows(["profile", "sessions"], "users/sessions"),
  preferences: () => queryOne(["profile", "preferences"], "preferences"),
  config: () => ({
    ...queryOne(["profile", "config"], "config"),
    staleTime: Number.POSITIVE_INFINITY,
  }),
};
