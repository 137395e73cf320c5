/** Renews the tokens, with one request in flight for all callers and all tabs. */
import { canReach } from "@/shared/lib/line";
import { apiAddress } from "./address";
import { readEnvelope } from "./envelope";
import { ApiError, isUnreached } from "./errors";
import { getToken, setTokens, usableAccessToken } from "./tokens";
import { exchange, REQUEST_TIMEOUT_MS } from "./transport";

const BACK_OFF_MS = [1000, 2000];
const LOCK = "token-refresh";

let inFlight: Promise<void> | null = null;

/**
 * The refresh failed. `refused`: the session has ended; otherwise the server could not be reached.
 */
export class RefreshError extends Error {
  constructor(
    message: string,
    readonly refused: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** Whether a failed refresh means that the session has ended, rather than a lost connection. */
export const endsSession = (error: unknown): boolean =>
  error instanceof RefreshError && error.refused;

/**
 * Gets new tokens with the stored refresh token. Callers at the same time share one request. Throws
 * "No refresh token available", or the last error after three attempts.
 */
export function refreshTokens(): Promise<void> {
  inFlight ??= refreshInOneTab().finally(() => {
    inFlight = null;
  });
  return inFlight;
}

async function refreshInOneTab(): Promise<void> {
  storedRefreshToken();
  if (!navigator.locks) return refreshWithBackOff();
  const before = getToken("accessToken");
  await navigator.locks.request(LOCK, () => {
    const now = usableAccessToken(Date.now());
    const doneByAnotherTab = now !== null && now !== before;
    return doneByAnotherTab ? undefined : refreshWithBackOff();
  });
}

async function refreshWithBackOff(): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const refreshToken = storedRefreshToken();
    try {
      return await refreshOnce(refreshToken);
    } catch (thrown) {
      const wait = BACK_OFF_MS[attempt];
      const isAway = thrown instanceof ApiError && isUnreached(thrown) && !(await canReach());
      if (wait === undefined || isAway) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** Read before each attempt: another tab may have signed out while this one waited. */
function storedRefreshToken(): string {
  const token = getToken("refreshToken");
  if (token === null) throw new RefreshError("No refresh token available", true);
  return token;
}

async function refreshOnce(refreshToken: string): Promise<void> {
  const { status, envelope } = await exchange(
    {
      address: apiAddress("users/token-refresh"),
      init: {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ refreshToken }),
      },
      timeoutMs: REQUEST_TIMEOUT_MS,
    },
    async (response) => ({ status: response.status, envelope: await readEnvelope(response) }),
  );
  const tokens = Array.isArray(envelope?.data) ? envelope.data[0] : null;
  if (!envelope?.success || !tokens?.accessToken || !tokens?.refreshToken) {
    const told = envelope?.meta?.error?.message ?? envelope?.error?.message;
    const refused = envelope?.success === false && status < 500 && status !== 429;
    throw new RefreshError("Token refresh failed", refused, new Error(told));
  }
  // The person signed out meanwhile, or another person signed in: this answer must not restore the
  // old session.
  if (getToken("refreshToken") === refreshToken) setTokens(tokens);
}
