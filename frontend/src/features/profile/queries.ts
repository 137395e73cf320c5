import { queryOptions } from "@tanstack/react-query";
import type { User } from "@/features/auth/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";

export type Preferences = {
  currency: string;
  last_sold_recent_days: number;
  last_sold_moderate_days: number;
  updatedAt: string;
};

export type SessionRow = { id: string; device: string; lastUsedAt: string; current: boolean };

type PublicConfig = { product_name: string; demo_mode: boolean; currencies: string[] };

export const profileQueries = {
  me: () =>
    queryOptions({
      queryKey: ["profile", "me"],
      queryFn: async ({ signal }) => one(await api.get<User>("users/me", {}, { signal })),
    }),
  sessions: () =>
    queryOptions({
      queryKey: ["profile", "sessions"],
      queryFn: async ({ signal }) =>
        (await api.get<SessionRow>("users/sessions", {}, { signal })).data,
    }),
  preferences: () =>
    queryOptions({
      queryKey: ["profile", "preferences"],
      queryFn: async ({ signal }) => one(await api.get<Preferences>("preferences", {}, { signal })),
    }),
  config: () =>
    queryOptions({
      queryKey: ["profile", "config"],
      queryFn: async ({ signal }) => one(await api.get<PublicConfig>("config", {}, { signal })),
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
