import { asCurl, readTrial, type Typed } from "./trial";

const typed = (changes: Partial<Typed> = {}): Typed => ({
  method: "GET",
  endpoint: "batches",
  params: "",
  headers: "",
  body: "",
  ...changes,
});

describe("readTrial", () => {
  it("reads JSON into a request", () => {
    expect(readTrial(typed({ params: '{"page": 2}', body: '{"a": 1}', method: "POST" }))).toEqual({
      trial: {
        method: "POST",
        endpoint: "batches",
        params: { page: 2 },
        headers: {},
        body: { a: 1 },
      },
    });
  });

  it.each<[Partial<Typed>, string]>([
    [{ endpoint: "" }, "Endpoint must be a non-empty string"],
    [
      { method: "FETCH" },
      "Invalid HTTP method: FETCH. Must be one of: GET, POST, PUT, DELETE, PATCH",
    ],
    [{ body: "text" }, "Request body must be null, an object, or FormData"],
    [{ params: "a=1" }, "customConfig.params must be an object"],
    [{ headers: "A: 1" }, "customConfig.headers must be an object"],
  ])("names the check that %j fails", (changes, problem) => {
    expect(readTrial(typed(changes))).toEqual({ problem });
  });
});

describe("asCurl", () => {
  it("writes the request without the token", () => {
    localStorage.accessToken = "very-secret";

    const text = asCurl({
      method: "POST",
      endpoint: "batches",
      params: { page: 2 },
      headers: { "X-A": "1" },
      body: { name: "Ann's" },
    });

    expect(text).toBe(
      [
        "curl -X POST 'http://localhost/api/batches?page=2'",
        '-H "Authorization: Bearer $ACCESS_TOKEN"',
        "-H 'X-A: 1'",
        "-H 'Content-Type: application/json'",
        String.raw`-d '{"name":"Ann'\''s"}'`,
      ].join(" \\\n  "),
    );
  });
});
