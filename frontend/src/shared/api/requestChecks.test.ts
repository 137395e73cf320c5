import { answer, installServer, ok, sent } from "@/shared/testing/server";
import { request } from "./client";
import { RequestCheckError } from "./errors";
import { checkAccessToken, METHODS } from "./requestChecks";

beforeEach(installServer);

// Callers may pass values from anywhere, so the checks take them untyped.
const untyped = request as (...input: unknown[]) => Promise<unknown>;

describe("request checks", () => {
  const wrong: [string, unknown[], string][] = [
    ["an empty endpoint", ["", "GET"], "Endpoint must be a non-empty string"],
    ["a blank endpoint", ["  ", "GET"], "Endpoint must be a non-empty string"],
    ["no endpoint", [null, "GET"], "Endpoint must be a non-empty string"],
    ["a number as endpoint", [5, "GET"], "Endpoint must be a non-empty string"],
    [
      "FETCH",
      ["batches", "FETCH"],
      "Invalid HTTP method: FETCH. Must be one of: GET, POST, PUT, DELETE, PATCH",
    ],
    [
      "HEAD",
      ["batches", "HEAD"],
      "Invalid HTTP method: HEAD. Must be one of: GET, POST, PUT, DELETE, PATCH",
    ],
    [
      "text as body",
      ["batches", "POST", "text"],
      "Request body must be null, an object, or FormData",
    ],
    [
      "a number as body",
      ["batches", "POST", 5],
      "Request body must be null, an object, or FormData",
    ],
    ["a number as config", ["batches", "GET", null, 5], "customConfig must be null or an object"],
    [
      "text as params",
      ["batches", "GET", null, { params: "a=1" }],
      "customConfig.params must be an object",
    ],
    [
      "text as headers",
      ["batches", "GET", null, { headers: "A: 1" }],
      "customConfig.headers must be an object",
    ],
  ];

  it.each(wrong)("refuse %s and send nothing", async (_name, input, message) => {
    const call = untyped(...input);

    await expect(call).rejects.toThrow(new RequestCheckError(message));
    expect(sent()).toEqual([]);
  });

  it.each(METHODS)("let %s through under its name", async (method) => {
    answer(`${method} /api/batches`, () => ok());

    await request("batches", method, method === "GET" ? null : { a: 1 }, {
      params: {},
      headers: {},
    });

    expect(sent().map((one) => one.method)).toEqual([method]);
  });

  it("let a FormData body through as it is, without a content type", async () => {
    answer("POST /api/files", () => ok());
    const form = new FormData();

    await request("files", "POST", form);

    expect(sent()[0]?.body).toBe(form);
    expect(sent()[0]?.headers["Content-Type"]).toBeUndefined();
  });
});

describe("the access token check", () => {
  it.each(["", "   ", null, 5, undefined])("refuses %p", (token) => {
    expect(() => checkAccessToken(token)).toThrow(
      new RequestCheckError("Invalid access token format"),
    );
  });

  it("accepts a text", () => {
    expect(() => checkAccessToken("abc")).not.toThrow();
  });
});
