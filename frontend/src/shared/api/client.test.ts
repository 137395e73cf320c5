import {
  answer,
  installServer,
  json,
  never,
  offline,
  ok,
  refusal,
  sent,
} from "@/shared/testing/server";
import { type Attempt, api, clientDefaults, request, requestWith } from "./client";
import type { ApiError } from "./errors";
import { setTokens } from "./tokens";

beforeEach(() => {
  installServer();
  jest.useFakeTimers();
  setTokens({ accessToken: "access-1", refreshToken: "refresh-1" });
});
afterEach(() => jest.useRealTimers());

const CONNECTION =
  "Unable to connect to the server. Please check your internet connection and try again.";

/** Runs the call to its end with all its waits and returns the error that it threw. */
async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const caught = call.then(
    () => Promise.reject(new Error("it did not fail")),
    (error: ApiError) => error,
  );
  await jest.advanceTimersByTimeAsync(200_000);
  return caught;
}

const waits = (route = "GET /api/batches") =>
  sent(route)
    .map(({ at }, index, all) => at - (all[index - 1]?.at ?? at))
    .slice(1);

describe("a call", () => {
  it("sends JSON with its content type and the bearer token", async () => {
    answer("POST /api/batches", () => ok([{ id: 1 }]));

    const result = await api.post("batches", { body: { name: "Attic" } });

    expect(result.data).toEqual([{ id: 1 }]);
    expect(sent()[0]).toMatchObject({
      body: { name: "Attic" },
      headers: { "Content-Type": "application/json", Authorization: "Bearer access-1" },
    });
  });

  it("gives data and pagination of the envelope", async () => {
    const pagination = { page: 1, page_size: 2, total_items: 5, total_pages: 3 };
    answer("GET /api/batches", () => ok([1, 2], { pagination, message: "Here." }));

    const result = await api.get("batches", { query: { page: 1 } });

    expect(result).toEqual({ data: [1, 2], pagination, message: "Here.", status: 200 });
  });

  it("keeps its key for the same request where nobody knows whether it was carried out", async () => {
    const add = () => api.post("batches", { body: { name: "Attic" } });
    answer("POST /api/batches", (_, count) =>
      count < 4 ? offline() : count === 4 ? ok([{ id: 1 }]) : ok([{ id: 2 }]),
    );

    const failed = add().catch((error: ApiError) => error.code);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(await failed).toBe("MAX_RETRIES_EXCEEDED");
    await add();
    await add();
    await api.post("batches", { body: { name: "Cellar" } });

    const keys = sent("POST /api/batches").map(({ headers }) => headers["Idempotency-Key"]);
    expect(new Set(keys.slice(0, 5)).size).toBe(1);
    expect(new Set(keys).size).toBe(3);
  });

  describe("with a file", () => {
    const form = (text = "<X/>", lastModified = 1, into = "12") => {
      const fields = new FormData();
      fields.append("file", new File([text], "lot.bsx", { lastModified }));
      fields.append("into", into);
      return fields;
    };
    const keysOf = async (again: FormData) => {
      answer("POST /api/batches/importBsx", (_, count) => (count < 4 ? offline() : ok()));
      await failureOf(request("batches/importBsx", "POST", form()));
      await request("batches/importBsx", "POST", again);
      return sent().map(({ headers }) => headers["Idempotency-Key"]);
    };

    it("keeps its key for the same file and fields, also when the line comes back late", async () => {
      expect(new Set(await keysOf(form())).size).toBe(1);
    });

    it.each([
      ["with other contents", form("<XX/>")],
      ["saved since", form("<X/>", 2)],
      ["with another choice", form("<X/>", 1, "13")],
    ])("takes another key for one %s", async (_, again) => {
      expect(new Set(await keysOf(again)).size).toBe(2);
    });
  });

  it("takes another key after a refusal", async () => {
    answer("POST /api/batches", () => refusal(400, "VALIDATION_ERROR", "No."));

    await failureOf(api.post("batches", { body: { name: "Attic" } }));
    await failureOf(api.post("batches", { body: { name: "Attic" } }));

    const keys = sent("POST /api/batches").map(({ headers }) => headers["Idempotency-Key"]);
    expect(new Set(keys).size).toBe(2);
  });

  it("carries an Idempotency-Key on POST and PATCH, the same for every attempt", async () => {
    answer("POST /api/batches", (_, count) => (count < 2 ? offline() : ok()));
    answer("PATCH /api/batches/1", () => ok());
    answer("DELETE /api/batches/1", () => ok());
    const post = api.post("batches", { body: { name: "Attic" } });
    await jest.advanceTimersByTimeAsync(5000);
    await post;
    await api.patch("batches/{id}", { path: { id: 1 }, body: {} });
    await api.delete("batches/{id}", { path: { id: 1 } });

    const keys = sent().map(({ headers }) => headers["Idempotency-Key"]);
    expect(keys[0]).toMatch(/^[\w-]{32,}$/);
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[3]).toMatch(/^[\w-]{32,}$/);
    expect(keys[3]).not.toBe(keys[0]);
    expect(keys[4]).toBeUndefined();
  });

  it("does not doubt the line while it waits to ask again a server that has answered", async () => {
    answer("GET /healthz", () => json(200, {}));
    answer("GET /api/batches", () => json(429, {}));

    await failureOf(api.get("batches"));

    expect(waits()).toEqual([5000, 10_000, 15_000]);
    expect(sent("GET /healthz")).toEqual([]);
  });

  it("is refused with code, message and fields of the envelope", async () => {
    answer("GET /api/batches", () =>
      refusal(400, "X_1", "No.", { fields: { name: ["too long"] }, data: [{ id: 7 }] }),
    );

    const error = await failureOf(api.get("batches"));

    expect(error).toMatchObject({
      code: "X_1",
      message: "No.",
      status: 400,
      fields: { name: ["too long"] },
      data: [{ id: 7 }],
    });
    expect(sent()).toHaveLength(1);
  });

  it("is refused by an envelope without success, whatever its status", async () => {
    answer("GET /api/batches", () =>
      json(200, { success: false, meta: { error: { code: "X_1", message: "No." } } }),
    );

    const error = await failureOf(api.get("batches"));

    expect(error).toMatchObject({ code: "X_1", message: "No." });
  });

  it("has a default code and message where the envelope names none", async () => {
    answer("GET /api/batches", () => json(200, { success: false }));

    const error = await failureOf(api.get("batches"));

    expect(error).toMatchObject({ code: "API_ERROR", message: "API request failed" });
  });

  it("is ended by the caller's own signal without a retry", async () => {
    answer("GET /api/batches", never);
    const control = new AbortController();
    const call = api.get("batches", { signal: control.signal });
    const caught = call.catch((error: Error) => error);
    await jest.advanceTimersByTimeAsync(10);

    control.abort(new Error("left the page"));
    await jest.advanceTimersByTimeAsync(60_000);

    expect(await caught).toEqual(new Error("left the page"));
    expect(sent()).toHaveLength(1);
  });
});

describe("a connection failure", () => {
  it.each([
    new TypeError("Failed to fetch"),
    new TypeError("NetworkError when attempting to fetch resource."),
    new TypeError("Load failed"),
    new Error("connect ECONNREFUSED 127.0.0.1:8000"),
    new Error("net::ERR_CONNECTION_REFUSED"),
    new Error("net::ERR_NETWORK_CHANGED"),
  ])("is told as CONNECTION_ERROR: %s", async (thrown) => {
    answer("GET /api/batches", () => Promise.reject(thrown));

    const error = await failureOf(request("batches", "GET", null, { retry: false }));

    expect(error).toMatchObject({ code: "CONNECTION_ERROR", message: CONNECTION });
    expect(sent()).toHaveLength(1);
  });

  it("is none where the app itself stumbled", async () => {
    const ours = new TypeError("Cannot read properties of undefined (reading 'data')");
    answer("GET /api/batches", () => Promise.reject(ours));

    expect(await failureOf(request("batches", "GET", null, { retry: false }))).toBe(ours);
  });

  it("is none where the app stumbles over an answer", async () => {
    const ours = new TypeError("Cannot read properties of undefined (reading 'reconnect')");
    answer("GET /api/batches", () => ok([]));
    const read = () => Promise.reject(ours);

    const error = await failureOf(requestWith("batches", "GET", null, { retry: false }, read));

    expect(error).toBe(ours);
    expect(sent()).toHaveLength(1);
  });

  it("may also come while the answer is loading", async () => {
    const broken = ok([]);
    jest.spyOn(broken, "text").mockRejectedValue(new TypeError("network error"));
    answer("GET /api/batches", () => broken);

    const error = await failureOf(request("batches", "GET", null, { retry: false }));

    expect(error).toMatchObject({ code: "CONNECTION_ERROR", message: CONNECTION });
  });

  it("is tried four times, 1000, 2000 and 4000 ms apart", async () => {
    answer("GET /api/batches", offline);

    const error = await failureOf(api.get("batches"));

    expect(waits()).toEqual([1000, 2000, 4000]);
    expect(error).toMatchObject({
      code: "MAX_RETRIES_EXCEEDED",
      message: "Max retry attempts (3) exceeded for batches",
      totalAttempts: 4,
      cause: expect.objectContaining({ code: "CONNECTION_ERROR" }),
    });
  });

  it("heals when a later attempt gets through", async () => {
    answer("GET /api/batches", (_, count) => (count === 0 ? offline() : ok([1])));
    const call = api.get("batches");
    await jest.advanceTimersByTimeAsync(1000);

    expect((await call).data).toEqual([1]);
  });
});

describe("a timeout", () => {
  it("comes at 30000 ms, not before", async () => {
    let aborted = false;
    answer("GET /api/batches", never);
    const call = request("batches", "GET", null, { retry: false }).catch((error) => {
      aborted = true;
      return error;
    });

    await jest.advanceTimersByTimeAsync(29_999);
    expect(aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);

    expect(await call).toMatchObject({
      code: "REQUEST_TIMEOUT",
      message: "Request timed out after 30000ms. Please try again.",
      cause: new Error("Request timeout after 30000ms"),
    });
  });

  it("names the limit in use", async () => {
    answer("GET /api/batches", never);

    const error = await failureOf(request("batches", "GET", null, { retry: false, timeoutMs: 50 }));

    expect(error.message).toBe("Request timed out after 50ms. Please try again.");
  });

  it.each<[string, Error]>([
    ["an AbortError", new DOMException("The operation was aborted.", "AbortError")],
    ["the timer's own error", new Error("Request timeout after 30000ms")],
  ])("is what %s means", async (_name, thrown) => {
    answer("GET /api/batches", () => Promise.reject(thrown));

    const error = await failureOf(request("batches", "GET", null, { retry: false }));

    expect(error).toMatchObject({
      code: "REQUEST_TIMEOUT",
      message: "Request timed out after 30000ms. Please try again.",
    });
    expect(sent()).toHaveLength(1);
  });

  it("is tried three times, 500 and 750 ms after each", async () => {
    answer("GET /api/batches", never);

    const error = await failureOf(api.get("batches"));

    expect(waits()).toEqual([30_500, 30_750]);
    expect(error).toMatchObject({ totalAttempts: 3 });
  });
});

describe("a server error", () => {
  it("is tried three times, 2000 and 4000 ms apart, also without an envelope", async () => {
    answer("GET /api/batches", () => new Response("<h1>Bad gateway</h1>", { status: 502 }));

    const error = await failureOf(api.get("batches"));

    expect(waits()).toEqual([2000, 4000]);
    expect(error).toMatchObject({
      message: "Max retry attempts (2) exceeded for batches",
      totalAttempts: 3,
    });
  });
});

describe("a rate limit", () => {
  it("is tried four times, 5000, 10000 and 15000 ms apart", async () => {
    answer("GET /api/batches", () => refusal(429, "RATE_LIMITED", "Too many."));

    const error = await failureOf(api.get("batches"));

    expect(waits()).toEqual([5000, 10_000, 15_000]);
    expect(error).toMatchObject({ totalAttempts: 4 });
  });

  it("waits as Retry-After asks", async () => {
    answer("GET /api/batches", (_, count) =>
      count === 0
        ? refusal(429, "RATE_LIMITED", "Too many.", { headers: { "Retry-After": "8" } })
        : ok(),
    );
    const call = api.get("batches");
    await jest.advanceTimersByTimeAsync(8000);
    await call;

    expect(waits()).toEqual([8000]);
  });

  it("fails at once when Retry-After is beyond the cap", async () => {
    answer("GET /api/batches", () =>
      refusal(429, "RATE_LIMITED", "Too many.", { headers: { "Retry-After": "60" } }),
    );

    const error = await failureOf(api.get("batches"));

    expect(error.code).toBe("RATE_LIMITED");
    expect(sent()).toHaveLength(1);
  });
});

describe("retries", () => {
  it("are on by default, three at most", () => {
    expect(clientDefaults).toEqual({ timeoutMs: 30_000, retry: true, maxRetries: 3 });
  });

  it("are told attempt by attempt", async () => {
    const attempts: Attempt[] = [];
    answer("GET /api/batches", (_, count) => (count === 0 ? offline() : ok()));
    const call = api.get("batches", { onAttempt: (attempt) => attempts.push(attempt) });
    await jest.advanceTimersByTimeAsync(1000);
    await call;

    expect(attempts).toMatchObject([
      { number: 1, outcome: { error: "CONNECTION_ERROR" }, retryInMs: 1000 },
      { number: 2, outcome: { status: 200 }, retryInMs: null },
    ]);
  });
});
