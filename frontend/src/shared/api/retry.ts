/** Decides whether and when a failed request is retried. */
import { type ApiError, type FailureClass, RetriesExhaustedError } from "./errors";

export type RetryPolicy = {
  baseDelayMs: number;
  maxDelayMs: number;
  factor: number;
  maxRetries: number;
};

export const retryPolicies: Record<FailureClass, RetryPolicy> = {
  connection: { baseDelayMs: 1000, maxDelayMs: 8000, factor: 2, maxRetries: 3 },
  timeout: { baseDelayMs: 500, maxDelayMs: 2000, factor: 1.5, maxRetries: 2 },
  server: { baseDelayMs: 2000, maxDelayMs: 6000, factor: 2, maxRetries: 2 },
  rateLimit: { baseDelayMs: 5000, maxDelayMs: 15000, factor: 2, maxRetries: 3 },
};

/** Milliseconds before the retry that follows `attempt`, counted from 0. */
export function retryDelay(policy: RetryPolicy, attempt: number): number {
  return Math.min(policy.baseDelayMs * policy.factor ** attempt, policy.maxDelayMs);
}

export type Verdict = { retryInMs: number } | { giveUp: Error };

/**
 * Called after `attempt` (from 0) failed with `error`: returns the delay before the next attempt,
 * or the error to throw. A Retry-After header raises the delay; if it exceeds the policy's limit,
 * the request fails at once.
 */
export function judgeFailure(input: {
  error: ApiError;
  attempt: number;
  endpoint: string;
  maxRetries: number;
}): Verdict {
  const { error, attempt, endpoint, maxRetries } = input;
  if (!error.failure || maxRetries === 0) return { giveUp: error };
  const policy = retryPolicies[error.failure];
  const retries = Math.min(policy.maxRetries, maxRetries);
  if (attempt >= retries) {
    return { giveUp: new RetriesExhaustedError(retries, endpoint, attempt + 1, error) };
  }
  const asked = error.retryAfterMs ?? 0;
  if (asked > policy.maxDelayMs) return { giveUp: error };
  return { retryInMs: Math.max(retryDelay(policy, attempt), asked) };
}

/**
 * The milliseconds of a Retry-After header, given in seconds or as a date; null for any other text.
 */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (!header) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
