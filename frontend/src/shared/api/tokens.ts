/** The two tokens in local storage, each under its own name. */
import { heldPerson, storeOfSeat } from "@/shared/lib/person";
import { memberOf } from "@/shared/lib/records";
import { RequestCheckError } from "./errors";
import { checkAccessToken } from "./requestChecks";

/** How far this computer's clock is ahead of the server's, by the last tokens received. */
let aheadMs = 0;

const TOKEN_TYPES = ["accessToken", "refreshToken"] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

function checkType(type: unknown): asserts type is TokenType {
  if (!TOKEN_TYPES.some((one) => one === type)) {
    throw new RequestCheckError(`Invalid token type: ${String(type)}`);
  }
}

/** The stored token, or null; a stored blank counts as none. */
export function getToken(type: TokenType): string | null {
  checkType(type);
  const token = localStorage.getItem(type);
  return token === null || token.trim() === "" ? null : token;
}

/** Throws "Invalid access token format" unless it is a string that is not blank. */
export function setToken(type: TokenType, token: string): void {
  checkType(type);
  checkAccessToken(token);
  localStorage.setItem(type, token);
}

/** Stores tokens that have just been issued, and compares this computer's clock with theirs. */
export function setTokens(tokens: Record<TokenType, string>): void {
  checkAccessToken(tokens.accessToken);
  checkAccessToken(tokens.refreshToken);
  for (const type of TOKEN_TYPES) localStorage.setItem(type, tokens[type]);
  const issuedAt = timesOf(tokens.accessToken).iat;
  if (issuedAt !== null) aheadMs = Date.now() - issuedAt;
}

export function clearTokens(): void {
  for (const type of TOKEN_TYPES) localStorage.removeItem(type);
  aheadMs = 0;
}

/**
 * The access token, unless it is missing or its `exp` has passed by the server's clock. A token
 * without a readable `exp` is returned.
 */
export function usableAccessToken(now: number): string | null {
  const token = getToken("accessToken");
  if (token === null) return null;
  const { exp } = timesOf(token);
  return exp !== null && exp <= now - aheadMs ? null : token;
}

/** When a token was issued and when it expires, in ms since 1970; null what cannot be read. */
function timesOf(token: string): { iat: number | null; exp: number | null } {
  const ms = (seconds: unknown) => (typeof seconds === "number" ? seconds * 1000 : null);
  const said = claimsOf(token);
  return { iat: ms(memberOf(said, "iat")), exp: ms(memberOf(said, "exp")) };
}

function claimsOf(token: string): unknown {
  try {
    const payload = token.split(".")[1] ?? "";
    return JSON.parse(atob(payload.replace(/-/g, "+").replace(/_/g, "/")));
  } catch {
    return null; // the server decides
  }
}

/**
 * Whether a token acts in another store than this tab holds the data of: another tab has changed
 * the store, and this one has not heard of it yet.
 */
export function isOfAnotherStore(token: string): boolean {
  const seat = heldPerson();
  const store = memberOf(claimsOf(token), "store");
  return seat !== null && typeof store === "number" && store !== storeOfSeat(seat);
}
