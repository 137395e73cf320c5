import type { QueryClient } from "@tanstack/react-query";
import { currentUser, endSession } from "@/features/auth/public";
import { ApiError } from "@/shared/api/errors";
import { createQueryClient } from "@/shared/api/queryClient";
import { tellFailure } from "@/shared/ui/tellFailure";
import { toast } from "@/shared/ui/toast";

/** The product's cache, which offers to sign in again. */
export const newQueryClient = (): QueryClient => createQueryClient(tellFailure, offerSignIn);

/**
 * The server no longer knows the session, and could not be asked for new tokens. The page keeps
 * what is typed and shows the error; the way out is one click, not a jump.
 */
function offerSignIn(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 401 || currentUser() === null) return;
  toast.error("Your session has ended.", {
    id: "session-ended",
    duration: Number.POSITIVE_INFINITY,
    action: { label: "Sign in again", run: endSession },
  });
}
