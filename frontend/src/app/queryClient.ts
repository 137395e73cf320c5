import type { QueryClient } from "@tanstack/react-query";
import { currentUser, endSession, onSession } from "@/features/auth/public";
import { ApiError } from "@/shared/api/errors";
import { createQueryClient } from "@/shared/api/queryClient";
import { onPersonBack } from "@/shared/lib/person";
import { tellFailure } from "@/shared/ui/tellFailure";
import { toast } from "@/shared/ui/toast";

/** The product's cache, which offers to sign in again. */
export const newQueryClient = (): QueryClient => createQueryClient(tellFailure, offerSignIn);

/** What one person's queries and toasts hold is nothing for the next one. */
export function followPerson(client: QueryClient): void {
  let shown = currentUser()?.id;
  onPersonBack(() => void client.invalidateQueries());
  onSession(({ user, keepsPage }) => {
    if (keepsPage || user?.id === shown) return;
    shown = user?.id;
    client.clear();
    toast.removeAll();
  });
}

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
