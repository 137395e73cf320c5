import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { Schema } from "@/shared/api/wire";

export type Preferences = Schema<"PreferencesRow">;

export type SessionRow = Schema<"SessionRow">;

export const profileQueries = {
  me: () =>
    queryOptions({
      queryKey: ["profile", "me"],
      queryFn: async ({ signal }) => one(await api.get("users/me", { signal })),
    }),
  sessions: () =>
    queryOptions({
      queryKey: ["profile", "sessions"],
      queryFn: async ({ signal }) => (await api.get("users/sessions", { signal })).data,
    }),
  preferences: () =>
    queryOptions({
      queryKey: ["profile", "preferences"],
      queryFn: async ({ signal }) => one(await api.get("preferences", { signal })),
    }),
  config: () =>
    queryOptions({
      queryKey: ["profile", "config"],
      queryFn: async ({ signal }) => one(await api.get("config", { signal })),
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
