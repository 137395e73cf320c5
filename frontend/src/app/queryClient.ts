import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { currentUser, endSession } from "@/features/auth/public";
import { ApiError } from "@/shared/api/errors";
import { toast } from "@/shared/ui/toast";

/** The cache of what the server knows. Retries belong to the API client alone: one layer. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: offerSignIn }),
    mutationCache: new MutationCache({ onError: offerSignIn }),
    defaultOptions: {
      queries: { retry: false, staleTime: 10_000, networkMode: "always" },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

/**
 * The server no longer knows the session (the password was changed elsewhere). The page keeps what
 * is typed and shows the error; the way out is one click, not a jump.
 */
function offerSignIn(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 401 || currentUser() === null) return;
  toast.error("Your session has ended.", {
    id: "session-ended",
    duration: Number.POSITIVE_INFINITY,
    action: { label: "Sign in again", run: endSession },
  });
}
