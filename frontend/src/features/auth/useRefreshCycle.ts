import { useEffect } from "react";
import { endsSession, refreshTokens } from "@/shared/api/refresh";
import { log } from "@/shared/lib/log";
import { problemText } from "@/shared/lib/problem";
import { currentUser, endSession, useSession } from "./session";

const REFRESH_EVERY_MS = 900_000;

/** Renews the tokens every 15 minutes while a user is present and not loading. */
export function useRefreshCycle(): void {
  const { user, loading } = useSession();
  const running = user !== null && !loading;

  useEffect(() => {
    if (!running) return;
    const renew = async () => {
      try {
        await refreshTokens();
      } catch (error) {
        log.warn(`Background refresh failed: ${problemText(error)}`);
        // A lost connection does not sign out: the next request first asks for new tokens.
        if (endsSession(error) && currentUser() !== null) endSession();
      }
    };
    const timer = setInterval(renew, REFRESH_EVERY_MS);
    return () => clearInterval(timer);
  }, [running]);
}
