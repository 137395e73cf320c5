/** The only way to the API: request checks, tokens, time limit, retries, envelope. */

import { askLineBy, canReach, noteReached } from "@/shared/lib/line";
import { apiHost } from "@/shared/lib/pageMeta";
import { askToSignIn, isPersonAway, untilBack } from "@/shared/lib/person";
import { proof, prove } from "@/shared/lib/proof";
import { memberOf } from "@/shared/lib/records";
import { apiAddress, fillPath, type Params } from "./address";
import { type Answer, readAnswer } from "./envelope";
import { ApiError, isUnreached, TOKEN_EXPIRED_MESSAGE } from "./errors";
import { type FormValue, formOf } from "./form";
import { intentOf } from "./intents";
import { endsSession, refreshTokens } from "./refresh";
import { checkRequest, type Method } from "./requestChecks";
import { judgeFailure } from "./retry";
import { noteStarted } from "./startedJobs";
import { clearTokens, isOfAnotherStore, usableAccessToken } from "./tokens";
import { exchange, REQUEST_TIMEOUT_MS } from "./transport";
import { uploading } from "./uploads";
import type { CallOf, PathOf, RowOf, Verb } from "./wire";

askLineBy(probe);

/** After this time without an answer the line is in doubt. */
const SLOW_MS = 4_500;

/** What the testing page shows of each attempt. */
export type Attempt = {
  number: number;
  startedAt: number;
  durationMs: number;
  outcome: { status: number } | { error: string };
  /** Milliseconds until the next attempt; null when this was the last. */
  retryInMs: number | null;
};

export type CustomConfig = {
  params?: Params;
  headers?: Record<string, string>;
  timeoutMs?: number;
  /** On by default. Off: exactly one request. */
  retry?: boolean;
  maxRetries?: number;
  /** A POST that may be repeated without harm. */
  reads?: boolean;
  signal?: AbortSignal;
  onUploadProgress?: (sent: number, total: number) => void;
  onAttempt?: (attempt: Attempt) => void;
};

export type Body = object | FormData | null;

type Limits = { timeoutMs: number; retry: boolean; maxRetries: number };

export const clientDefaults: Readonly<Limits> = {
  timeoutMs: REQUEST_TIMEOUT_MS,
  retry: true,
  maxRetries: 3,
};

/**
 * Calls the API and returns its answer. Throws RequestCheckError before anything is sent, ApiError
 * for a refusal or a failure, and RetriesExhaustedError when all retries failed.
 */
export function request<Row = unknown>(
  endpoint: string,
  method: Method = "GET",
  body: Body = null,
  customConfig: CustomConfig | null = null,
): Promise<Answer<Row>> {
  const send = async () => {
    const answer = await requestWith(endpoint, method, body, customConfig, readAnswer<Row>);
    noteStarted(answer);
    return answer;
  };
  return body instanceof FormData ? uploading(send) : send();
}

type Call<Result> = [
  endpoint: string,
  method: Method,
  body: Body,
  customConfig: CustomConfig | null,
  read: (response: Response) => Promise<Result>,
];

/**
 * The same for answers that are not an envelope (files): `read` reads the response. Where its page
 * waits under the sign-in form, the request waits, too; an upload is left to another press.
 */
export async function requestWith<Result>(...call: Call<Result>): Promise<Result> {
  const [, , body, customConfig] = call;
  for (;;) {
    try {
      return await sendWithRetries(...call);
    } catch (error) {
      const waits = error instanceof ApiError && error.status === 401 && isPersonAway();
      if (!waits || body instanceof FormData) throw error;
      await untilBack(customConfig?.signal);
    }
  }
}

async function sendWithRetries<Result>(
  ...[endpoint, method, body, customConfig, read]: Call<Result>
): Promise<Result> {
  checkRequest({ endpoint, method, body, customConfig });
  const config = { ...clientDefaults, ...customConfig };
  const payload = body === null || body instanceof FormData ? body : JSON.stringify(body);
  // One key for all attempts, and for another press after they failed: the server carries the
  // request out once.
  const writes = method !== "GET" && !config.reads;
  const isOnce = writes && (method === "POST" || method === "PATCH");
  const address = apiAddress(endpoint, config.params);
  const intent = isOnce
    ? intentOf({ method, address, payload }, config.headers?.["Idempotency-Key"])
    : null;
  const headers: Record<string, string> = {
    ...config.headers,
    ...(intent && { "Idempotency-Key": intent.key }),
  };
  const send = prepare(endpoint, method, payload, { ...config, headers }, read);
  let mayRefresh = true;
  let mayProve = true;
  /** The error of the last refresh when the server could not be reached. */
  let unasked: unknown = null;
  /** The server refused a refresh: a 401 then means that the session has ended. */
  let over = false;
  const refresh = async () => {
    unasked = await refreshTokens().then(
      () => null,
      (error) => {
        over = endsSession(error);
        return over ? null : error;
      },
    );
  };
  if (usableAccessToken(Date.now()) === null) await refresh();

  for (let attempt = 0; ; attempt += 1) {
    const startedAt = Date.now();
    const report = (outcome: Attempt["outcome"], retryInMs: number | null) => {
      const durationMs = Date.now() - startedAt;
      config.onAttempt?.({ number: attempt + 1, startedAt, durationMs, outcome, retryInMs });
    };
    const slow = writes ? undefined : setTimeout(canReach, SLOW_MS);
    try {
      const result = await send().finally(() => clearTimeout(slow));
      noteReached();
      report({ status: result.status }, null);
      intent?.settle();
      return result.value;
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      if (thrown.status && !isUnreached(thrown)) noteReached();
      const isAway = isUnreached(thrown) && !(await canReach());
      const outcome = thrown.status ? { status: thrown.status } : { error: thrown.code };
      if (thrown.code === "PROOF_REQUIRED" && mayProve) {
        mayProve = false;
        report(outcome, 0);
        if (await prove()) {
          attempt -= 1;
          continue;
        }
      }
      // It says nothing of an earlier attempt whose answer was lost.
      if (thrown.status === 401) intent?.leaveOpen();
      // The connection returned after the refresh had failed, so the request went out without a
      // token.
      if (thrown.status === 401 && unasked !== null && mayRefresh) {
        mayRefresh = false;
        report(outcome, 0);
        await refresh();
        if (unasked !== null) throw unasked instanceof ApiError ? unasked : notRenewed(unasked);
        attempt -= 1;
        continue;
      }
      if (refusesSession(thrown) && over) askToSignIn({ writes });
      else if (refusesSession(thrown) && mayRefresh) {
        mayRefresh = false;
        report(outcome, 0);
        await refreshOrThrow(thrown, writes);
        attempt -= 1; // not a retry of the retry policies: those begin later
        continue;
      }
      // What only reads is asked again when the server is back.
      const maxRetries = config.retry && (writes || !isAway) ? config.maxRetries : 0;
      const verdict = judgeFailure({ error: thrown, attempt, endpoint, maxRetries });
      report(outcome, "retryInMs" in verdict ? verdict.retryInMs : null);
      if ("giveUp" in verdict) {
        if (thrown.failure && thrown.failure !== "rateLimit") intent?.leaveOpen();
        else if (thrown.status !== 401) intent?.settle();
        throw verdict.giveUp;
      }
      await pause(verdict.retryInMs, config.signal);
    }
  }
}

function prepare<Result>(
  endpoint: string,
  method: Method,
  payload: string | FormData | null,
  config: CustomConfig & Limits,
  read: (response: Response) => Promise<Result>,
) {
  const address = apiAddress(endpoint, config.params);
  const headers: Record<string, string> = { Accept: "application/json", ...config.headers };
  // The browser writes the boundary of a form itself.
  if (!(payload instanceof FormData)) headers["Content-Type"] ??= "application/json";

  return async () => {
    const token = usableAccessToken(Date.now());
    if (token !== null && isOfAnotherStore(token)) throw otherStore();
    const authorization: Record<string, string> =
      token === null ? {} : { Authorization: `Bearer ${token}` };
    return exchange(
      {
        address,
        init: { method, headers: { ...authorization, ...proof, ...headers }, body: payload },
        timeoutMs: config.timeoutMs,
        signal: config.signal,
        onUploadProgress: config.onUploadProgress,
      },
      async (response) => ({ status: response.status, value: await read(response) }),
    );
  };
}

/** Nothing of this page's store is sent to the other one: it waits, as for a sign-in. */
const otherStore = () =>
  new ApiError("NOT_AUTHENTICATED", "You act in another store now. Load this page again.", {
    status: 401,
  });

/** The server answered but could not renew the tokens. A later attempt may succeed. */
const notRenewed = (cause: unknown) =>
  new ApiError("SERVICE_UNAVAILABLE", "The server is busy. Please try again in a moment.", {
    failure: "server",
    cause,
  });

/** The access token has expired, or its session has ended. */
const refusesSession = (error: ApiError) =>
  error.message === TOKEN_EXPIRED_MESSAGE ||
  (error.status === 401 && error.code === "NOT_AUTHENTICATED");

async function refreshOrThrow(original: ApiError, writes: boolean): Promise<void> {
  try {
    await refreshTokens();
  } catch (refused) {
    const cause = memberOf(refused, "cause");
    if (cause instanceof Error && cause.message === TOKEN_EXPIRED_MESSAGE) clearTokens();
    if (endsSession(refused)) askToSignIn({ writes });
    throw original;
  }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** The options of a call beside its path, query and body. */
export type CallConfig = Omit<CustomConfig, "params">;

/** The options may be left out where nothing in them is required. */
export type Options<V extends Verb, Path extends PathOf<V>> =
  Record<never, never> extends CallOf<V, Path>
    ? [options?: CallOf<V, Path> & CallConfig]
    : [options: CallOf<V, Path> & CallConfig];

type AnyOptions = CallConfig & {
  path?: Record<string, string | number>;
  query?: Params;
  filters?: Params;
  body?: object;
  form?: Record<string, FormValue>;
};

const verb =
  <V extends Verb>(method: Method, reads = false) =>
  <Path extends PathOf<V>>(
    path: Path,
    ...[options]: Options<V, Path>
  ): Promise<Answer<RowOf<V, Path>>> => {
    const { path: ids = {}, query, filters, body, form, ...config } = (options ?? {}) as AnyOptions;
    const endpoint = fillPath(path, ids);
    const payload = form ? formOf(form) : (body ?? null);
    const params = { ...filters, ...query };
    return request(endpoint, method, payload, { ...config, reads, params });
  };

/** The verbs, as features use them: `api.get("batches/{id}", { path: { id } })`. */
export const api = {
  get: verb<"get">("GET"),
  post: verb<"post">("POST"),
  /** Asks by POST what is too long for an address, or what no log shall have. */
  ask: verb<"post">("POST", true),
  put: verb<"put">("PUT"),
  patch: verb<"patch">("PATCH"),
  delete: verb<"delete">("DELETE"),
};

const PROBE_MS = 4_000;

/** Asks the server whether it is there. */
async function probe(): Promise<boolean> {
  try {
    return await exchange(
      {
        address: `${apiHost()}/healthz`,
        // Of another origin's answer it is enough that there is one.
        init: { method: "GET", headers: {}, mode: "no-cors", cache: "no-store" },
        timeoutMs: PROBE_MS,
      },
      async ({ ok, type }) => ok || type === "opaque",
    );
  } catch {
    return false;
  }
}
