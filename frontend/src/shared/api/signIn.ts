/**
 * Sign-in and registration. They do not use the retrying client and have their own texts (spec 8).
 */

import { apiHost } from "@/shared/lib/pageMeta";
import { noteProof } from "@/shared/lib/proof";
import { memberOf } from "@/shared/lib/records";
import { apiAddress } from "./address";
import { type Envelope, readEnvelope } from "./envelope";
import { exchange, REQUEST_TIMEOUT_MS } from "./transport";
import type { BodyOf, Schema } from "./wire";

export type Role = "owner" | "manager" | "sorter" | "picker";
export type Store = { id: number; name: string; role: Role };
/** What the role leaves out: operations and fields. */
export type ActedStore = Store & { refuses: string[]; hides: string[] };

type Tokens = { accessToken: string; refreshToken: string };
/** A user as stored: every field of the answer but the tokens. */
export type User = {
  id: number;
  email_address: string;
  name: string;
  is_address_confirmed?: boolean;
  is_staff?: boolean;
  createdAt?: string;
  updatedAt?: string;
  bidder_name?: string;
  zip_code?: string;
  units?: "g" | "oz";
  time_zone?: string;
  seller_address?: string;
  vat_id?: string;
  buyer_data_months?: number;
  /** Absent: his own, as in sessions from before there were others. */
  store?: ActedStore;
  stores?: Store[];
} & Record<string, unknown>;
export type SignedIn = { user: User; tokens: Tokens };
export type Credentials = { email_address: string; password: string };
export type Registration = Credentials & { name: string };

/** How the person may show that it is he. */
export type Asked = Schema<"AskedRow">;
export type FactorAnswer = BodyOf<"post", "users/proof">;

export const askedIn = (error: unknown): Asked | null =>
  error instanceof SignInError ? error.asked : null;

/** Refusal texts may come with messages by field, shown beside the fields. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  readonly fields: Record<string, string[]>;
  /** What the account asks for beside the password. */
  readonly asked: Asked | null;
  constructor(message: string, envelope?: Envelope) {
    super(message);
    const isAsked = envelope?.meta?.error?.code === "SECOND_FACTOR_REQUIRED";
    this.asked = isAsked && Array.isArray(envelope?.data) ? (envelope.data[0] ?? null) : null;
    this.fields = envelope?.meta?.error?.fields ?? envelope?.error?.fields ?? {};
  }
}

/** Signs in. Throws SignInError with the specification's text for the failure. */
export async function login(credentials: Credentials): Promise<SignedIn> {
  return readLogin(await send("users/login", credentials, "Login failed"));
}

/** Signs in with the second factor; the answer holds a proof, too. */
export async function secondStep(answer: FactorAnswer & { remember: boolean }): Promise<SignedIn> {
  const first = await send("users/login/second-step", answer, "Login failed");
  const { proof, ...row } = first ?? {};
  if (typeof proof === "string") noteProof(proof);
  return readLogin(first && row);
}

/** Signs in as the demo account; answers as login does. */
export async function demoLogin(): Promise<SignedIn> {
  return readLogin(await send("users/demo-login", {}, "Login failed"));
}

export function readLogin(first: Record<string, unknown> | undefined): SignedIn {
  if (!first) throw new SignInError("Invalid login response format");
  const { accessToken, refreshToken, ...user } = first;
  const tokens = readTokens(accessToken, refreshToken);
  if (!tokens) throw new SignInError("Invalid login response - missing tokens");
  return { user: user as User, tokens };
}

/** Registers and signs in. Throws SignInError. */
export async function register(registration: Registration): Promise<SignedIn> {
  const first = await send("users/register", registration, "Registration failed");
  if (!first) throw new SignInError("Invalid registration response format");
  const { user, accessToken, refreshToken } = first;
  const tokens = readTokens(accessToken, refreshToken);
  if (!tokens) throw new SignInError("Invalid registration response - missing tokens");
  if (typeof user !== "object" || user === null) {
    throw new SignInError("Invalid registration response format");
  }
  return { user: user as User, tokens };
}

function readTokens(accessToken: unknown, refreshToken: unknown): Tokens | null {
  const good = (token: unknown): token is string =>
    typeof token === "string" && token.trim() !== "";
  return good(accessToken) && good(refreshToken) ? { accessToken, refreshToken } : null;
}

/** The first element of a successful answer; undefined when it has none. */
async function send(
  endpoint: string,
  body: object,
  failureText: string,
): Promise<Record<string, unknown> | undefined> {
  const { response, envelope } = await reach(endpoint, body);
  if (!envelope) {
    throw new SignInError(
      response.ok
        ? "Server returned invalid response format"
        : `Server error: ${response.status} ${response.statusText}`.trim(),
    );
  }
  if (envelope.success !== true) {
    const told = envelope.meta?.error?.message || envelope.error?.message || envelope.message;
    throw new SignInError(told || failureText, envelope);
  }
  return Array.isArray(envelope.data) ? envelope.data[0] : undefined;
}

async function reach(endpoint: string, body: object) {
  try {
    return await exchange(
      {
        address: apiAddress(endpoint),
        init: {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(body),
        },
        timeoutMs: REQUEST_TIMEOUT_MS,
      },
      async (response) => ({ response, envelope: await readEnvelope(response) }),
    );
  } catch (thrown) {
    // The catalogue's message hides the reason; the `cause` is the error of fetch.
    const cause = memberOf(thrown, "cause");
    const reason = cause instanceof Error ? cause.message : memberOf(thrown, "message");
    throw new SignInError(`Network error: Cannot connect to ${apiHost()}. ${reason}`.trim());
  }
}
