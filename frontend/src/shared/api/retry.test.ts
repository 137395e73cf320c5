import { ApiError, type FailureClass, failureOfStatus, RetriesExhaustedError } from "./errors";
import { judgeFailure, readRetryAfter, retryDelay, retryPolicies } from "./retry";

const failure = (kind: FailureClass, retryAfterMs: number | null = null) =>
  new ApiError("X", "No.", { failure: kind, retryAfterMs });

const judge = (error: ApiError, attempt: number, maxRetries = 3) =>
  judgeFailure({ error, attempt, endpoint: "batches", maxRetries });

describe("retryDelay", () => {
  it.each<[FailureClass, number[]]>([
    ["connection", [1000, 2000, 4000, 8000, 8000]],
    ["timeout", [500, 750, 1125, 1687.5, 2000]],
    ["server", [2000, 4000, 6000, 6000, 6000]],
    ["rateLimit", [5000, 10000, 15000, 15000, 15000]],
  ])("of %s grows by its factor up to its cap", (kind, delays) => {
    expect(delays.map((_, attempt) => retryDelay(retryPolicies[kind], attempt))).toEqual(delays);
  });
});

describe("judgeFailure", () => {
  it.each<[FailureClass, number]>([
    ["connection", 3],
    ["timeout", 2],
    ["server", 2],
    ["rateLimit", 3],
  ])("gives up on %s after %d retries", (kind, retries) => {
    expect(judge(failure(kind), retries - 1)).toHaveProperty("retryInMs");

    const verdict = judge(failure(kind), retries);

    expect(verdict).toEqual({ giveUp: expect.any(RetriesExhaustedError) });
    expect((verdict as { giveUp: RetriesExhaustedError }).giveUp).toMatchObject({
      code: "MAX_RETRIES_EXCEEDED",
      message: `Max retry attempts (${retries}) exceeded for batches`,
      totalAttempts: retries + 1,
    });
  });

  it("takes the request's own maximum where it is smaller", () => {
    expect(judge(failure("connection"), 1, 1)).toMatchObject({
      giveUp: { message: "Max retry attempts (1) exceeded for batches", totalAttempts: 2 },
    });
  });

  it("throws the cause itself with retries off", () => {
    const error = failure("connection");

    expect(judge(error, 0, 0)).toEqual({ giveUp: error });
  });

  it("never repeats what cannot heal", () => {
    const error = new ApiError("NOT_FOUND", "No.", { status: 404 });

    expect(judge(error, 0)).toEqual({ giveUp: error });
  });

  it("waits as long as Retry-After asks, where that is longer", () => {
    expect(judge(failure("rateLimit", 9000), 0)).toEqual({ retryInMs: 9000 });
    expect(judge(failure("rateLimit", 3000), 0)).toEqual({ retryInMs: 5000 });
  });

  it("fails at once when Retry-After asks for more than the cap", () => {
    const error = failure("rateLimit", 15001);

    expect(judge(error, 0)).toEqual({ giveUp: error });
  });
});

describe("failureOfStatus", () => {
  it("classes 429 as rate limit, 500 to 599 as server error, the rest as neither", () => {
    const classes = [429, 500, 503, 599, 499, 600, 400].map(failureOfStatus);

    expect(classes).toEqual(["rateLimit", "server", "server", "server", null, null, null]);
  });
});

describe("readRetryAfter", () => {
  it("reads seconds, dates and nothing", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");

    expect(readRetryAfter("7", now)).toBe(7000);
    expect(readRetryAfter("Thu, 01 Jan 2026 00:00:04 GMT", now)).toBe(4000);
    expect(readRetryAfter("soon", now)).toBeNull();
    expect(readRetryAfter(null, now)).toBeNull();
  });
});
