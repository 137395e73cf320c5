/** Renewing the tokens: one request in flight for all callers, and for all tabs. */
import { apiAddress } from "./address";
import { readEnvelope } from "./envelope";
import { getToken, setTokens, usableAccessToken } from "./tokens";
import { exchange, REQUEST_TIMEOUT_MS } from "./transport";

const BACK_OFF_MS = [1000, 2000];
const LOCK = "token-refresh";

let inFlight: Promise<void> | null = null;

/**
 * Gets new tokens with the stored refresh token. Callers at the same time share one request.
 * Throws "No refresh token available", or after three attempts what the last one failed with.
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
      if (wait === undefined) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** Read before each attempt: another tab may have signed out while this one waited. */
function storedRefreshToken(): string {
  const token = getToken("refreshToken");
  if (token === null) throw new Error("No refresh token available");
  return token;
}

async function refreshOnce(refreshToken: string): Promise<void> {
  const envelope = await exchange(
    {
      address: apiAddress("users/token-refresh"),
      init: {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ refreshToken }),
      },
      timeoutMs: REQUEST_TIMEOUT_MS,
    },
    readEnvelope,
  );
  const tokens = Array.isArray(envelope?.data) ? envelope.data[0] : null;
  if (!envelope?.success || !tokens?.accessToken || !tokens?.refreshToken) {
    const told = envelope?.meta?.error?.message ?? envelope?.error?.message;
    throw new Error("Token refresh failed", { cause: new Error(told) });
  }
  // Signed out meanwhile, or somebody else in: the answer must not bring this session back.
  if (getToken("refreshToken") === refreshToken) setTokens(tokens);
}
