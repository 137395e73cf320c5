/** The two tokens in local storage, each under its own name. */
import { RequestCheckError } from "./errors";
import { checkAccessToken } from "./requestChecks";

const TOKEN_TYPES = ["accessToken", "refreshToken"] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

function checkType(type: unknown): asserts type is TokenType {
  if (!TOKEN_TYPES.includes(type as TokenType)) {
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

export function setTokens(tokens: Record<TokenType, string>): void {
  checkAccessToken(tokens.accessToken);
  checkAccessToken(tokens.refreshToken);
  for (const type of TOKEN_TYPES) localStorage.setItem(type, tokens[type]);
}

export function clearTokens(): void {
  for (const type of TOKEN_TYPES) localStorage.removeItem(type);
}

/**
 * The access token, unless it is missing or its `exp` has passed. A token without a readable `exp`
 * is returned.
 */
export function usableAccessToken(now: number): string | null {
  const token = getToken("accessToken");
  if (token === null) return null;
  const expiry = expiryOf(token);
  return expiry !== null && expiry <= now ? null : token;
}

function expiryOf(token: string): number | null {
  try {
    const payload = token.split(".")[1] ?? "";
    const text = atob(payload.replace(/-/g, "+").replace(/_/g, "/"));
    const { exp } = JSON.parse(text) as { exp?: unknown };
    return typeof exp === "number" ? exp * 1000 : null;
  } catch {
    return null; // `exp` cannot be read: the server decides
  }
}
