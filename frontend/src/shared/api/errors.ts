/** The client's part of the error catalogue: classes of failure, codes and texts. */
import { memberOf, rowsWith } from "@/shared/lib/records";

export const DEFAULT_CODE = "API_ERROR";
export const DEFAULT_MESSAGE = "API request failed";
export const TOKEN_EXPIRED_MESSAGE = "Access token expired";

/** Failures that a retry may solve. Each class has a retry policy. */
export type FailureClass = "connection" | "timeout" | "server" | "rateLimit";

type Details = {
  status?: number;
  failure?: FailureClass | null;
  /** Messages by field, where the server names fields. */
  fields?: Record<string, string[]>;
  /** `data` of the refusal: the current row of a CONFLICT, the items of LOCATION_NOT_EMPTY. */
  data?: unknown[];
  retryAfterMs?: number | null;
  cause?: unknown;
};

/** A call to the API failed. `code` is from the catalogue; `message` can be shown to a person. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  readonly code: string;
  readonly status: number | null;
  readonly failure: FailureClass | null;
  readonly fields: Record<string, string[]>;
  readonly data: unknown[];
  readonly retryAfterMs: number | null;

  constructor(code: string, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status ?? null;
    this.failure = details.failure ?? null;
    this.fields = details.fields ?? {};
    this.data = details.data ?? [];
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

/** The rows that a refusal carries because they contradict the request: those with these members. */
export const conflictRows = <Row extends object>(
  error: unknown,
  ...names: readonly (keyof Row & string)[]
): Row[] =>
  error instanceof ApiError && error.status === 409 ? rowsWith<Row>(error.data, ...names) : [];

/** Whether a file was refused for what it is: sent again, it is refused again. */
export const isRefusedFile = (error: unknown): error is ApiError =>
  error instanceof ApiError && ["UNREADABLE_FILE", "PAYLOAD_TOO_LARGE"].includes(error.code);

/** Whether the request did not reach the server, or only the proxy before it. */
export const isUnreached = ({ failure, status }: ApiError): boolean =>
  failure === "connection" || failure === "timeout" || status === 502 || status === 504;

/** All attempts failed. `cause` is the last failure, `totalAttempts` the number of attempts. */
export class RetriesExhaustedError extends ApiError {
  override readonly name = "RetriesExhaustedError";
  readonly totalAttempts: number;

  constructor(retries: number, endpoint: string, totalAttempts: number, cause: ApiError) {
    const message = `Max retry attempts (${retries}) exceeded for ${endpoint}`;
    super("MAX_RETRIES_EXCEEDED", message, {
      status: cause.status ?? undefined,
      failure: cause.failure,
      cause,
    });
    this.totalAttempts = totalAttempts;
  }
}

/** The request was wrong, so it was not sent. */
export class RequestCheckError extends Error {
  override readonly name = "RequestCheckError";
}

export const timeoutText = (ms: number): string => `Request timeout after ${ms}ms`;

export function connectionError(cause: unknown): ApiError {
  const message =
    "Unable to connect to the server. Please check your internet connection and try again.";
  return new ApiError("CONNECTION_ERROR", message, { failure: "connection", cause });
}

export function timeoutError(ms: number, cause: unknown): ApiError {
  const message = `Request timed out after ${ms}ms. Please try again.`;
  return new ApiError("REQUEST_TIMEOUT", message, { failure: "timeout", cause });
}

/**
 * The messages with which browsers report a network failure, before the answer and while its body
 * is loading.
 */
const CONNECTION_SIGNS =
  /failed to fetch|fetch failed|load failed|networkerror|network error|network connection|internet connection|error in body stream|ECONN|ENOTFOUND|ERR_CONNECTION|ERR_NETWORK|ERR_INTERNET|ERR_NAME_NOT|ERR_ADDRESS/i;

/**
 * Converts an error thrown by `fetch` into one of the catalogue. Other errors are returned
 * unchanged.
 */
export function transportError(thrown: unknown, timeoutMs: number): unknown {
  if (thrown instanceof ApiError) return thrown;
  const [name, message, code] = ["name", "message", "code"].map((member) =>
    String(memberOf(thrown, member) ?? ""),
  );
  if (name === "AbortError" || /^Request timeout after/.test(message ?? "")) {
    return timeoutError(timeoutMs, thrown);
  }
  const signs = `${message} ${code}`;
  if (CONNECTION_SIGNS.test(signs)) return connectionError(thrown);
  return thrown;
}

/** The class of an HTTP status, or null where a retry cannot help. */
export function failureOfStatus(status: number): FailureClass | null {
  if (status === 429) return "rateLimit";
  if (status >= 500 && status <= 599) return "server";
  return null;
}
