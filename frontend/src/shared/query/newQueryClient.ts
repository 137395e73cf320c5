import type { QueryClient } from "@tanstack/react-query";
import { createQueryClient } from "@/shared/api/queryClient";
import { askToSignIn, isSignedIn } from "@/shared/lib/person";
import { isSessionOver } from "@/shared/lib/problem";
import { tellFailure } from "@/shared/ui/tellFailure";
import { toast } from "../ui/toast";

/** The query cache of the product, and of the tests: failures are shown, and signing in is offered. */
export const newQueryClient = (): QueryClient => createQueryClient(tellFailure, offerSignIn);

/**
 * The server no longer knows the session, and could not be asked for new tokens. The page keeps
 * what is typed and shows the error; the way out is one click, not a jump.
 */
function offerSignIn(error: unknown): void {
  if (!isSessionOver(error) || !isSignedIn()) return;
  toast.error("Your session has ended.", {
    id: "session-ended",
    duration: Number.POSITIVE_INFINITY,
    action: { label: "Sign in again", run: () => askToSignIn() },
  });
}
