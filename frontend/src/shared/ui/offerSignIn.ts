import { askToSignIn, isSignedIn } from "@/shared/lib/person";
import { isSessionOver } from "@/shared/lib/problem";
import { toast } from "./toast";

/**
 * The server no longer knows the session, and could not be asked for new tokens. The page keeps
 * what is typed and shows the error; the way out is one click, not a jump.
 */
export function offerSignIn(error: unknown): void {
  if (!isSessionOver(error) || !isSignedIn()) return;
  toast.error("Your session has ended.", {
    id: "session-ended",
    duration: Number.POSITIVE_INFINITY,
    action: { label: "Sign in again", run: () => askToSignIn() },
  });
}
