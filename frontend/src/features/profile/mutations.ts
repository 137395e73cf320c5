import { type MutationMeta, useMutation, useQueryClient } from "@tanstack/react-query";
import { setUser } from "@/features/auth/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { setTokens } from "@/shared/api/tokens";
import type { BodyOf } from "@/shared/api/wire";
import { invalidate } from "@/shared/lib/tags";
import { profileQueries } from "./queries";

/** Saves fields of the profile; who is signed in follows. */
export function useSaveProfile() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (changes: BodyOf<"patch", "users/me">) =>
      one(await api.patch("users/me", { body: changes })),
    onSuccess: (user) => {
      queryClient.setQueryData(profileQueries.me().queryKey, user);
      setUser(user);
    },
  });
}

/** Saves preferences of the account. */
export function useSavePreferences() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (changes: BodyOf<"patch", "preferences">) =>
      one(await api.patch("preferences", { body: changes })),
    onSuccess: (saved) => queryClient.setQueryData(profileQueries.preferences().queryKey, saved),
  });
}

/** Ends one session. */
export function useEndSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (family: string) => api.delete("users/sessions/{family}", { path: { family } }),
    onSettled: () => invalidate(queryClient, profileQueries.sessions().queryKey),
  });
}

/** Ends every session but this one. */
export function useEndOtherSessions() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.post("users/sessions/end-others"),
    onSuccess: () => invalidate(queryClient, profileQueries.sessions().queryKey),
  });
}

/** Has the link that confirms the address sent again. */
export function useSendConfirmation() {
  return useMutation({
    meta: { tellsFailure: "Send again" },
    mutationFn: () => api.post("users/send-confirmation"),
  });
}

/** Closes the account and has all that it holds erased. */
export function useDeleteAccount(meta?: MutationMeta) {
  return useMutation({
    meta,
    mutationFn: (typed: BodyOf<"post", "users/delete-account">) =>
      api.post("users/delete-account", { body: typed }),
  });
}

/** Changes the password. All sessions end; this one continues with the tokens of the answer. */
export function useChangePassword() {
  return useMutation({
    mutationFn: async (passwords: BodyOf<"post", "users/change-password">) =>
      one(await api.post("users/change-password", { body: passwords })),
    onSuccess: setTokens,
  });
}
