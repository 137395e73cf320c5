import { ApiError } from "@/shared/api/errors";
import { answer, installServer, page, sent } from "@/shared/testing/server";
import { canOverride, idsOf, readRefusal, resultWords } from "./operations";
import { anItem } from "./testing/builders";

describe("resultWords", () => {
  it.each([
    ["stow", 182, 0, "182 lots stowed"],
    ["stow", 1, 0, "1 lot stowed"],
    ["stow", 182, 3, "Stow: 182 ok, 3 failed"],
    ["markListed", 0, 2, "Mark as listed: 0 ok, 2 failed"],
  ] as const)("of %s with %s done and %s refused is %s", (kind, done, failed, words) => {
    expect(resultWords(kind, done, failed)).toBe(words);
  });
});

describe("readRefusal", () => {
  const row = { items: [], failed: [{ id: 1, reason: "Full.", name: "Brick" }] };

  it("gives what was refused of an operation that did nothing", () => {
    const error = new ApiError("CAPACITY_EXCEEDED", "Full.", { status: 409, data: [row] });

    expect(readRefusal(error)).toEqual(row);
  });

  it("leaves other errors alone", () => {
    expect(readRefusal(new ApiError("CONFLICT", "Archived.", { status: 409 }))).toBeNull();
    expect(readRefusal(new ApiError("API_ERROR", "", { status: 500, data: [row] }))).toBeNull();
    expect(readRefusal(new Error("offline"))).toBeNull();
  });
});

describe("canOverride", () => {
  const limit = { location_id: 1, name: "A-01", limit: "max_item_count", room: "5", wanted: "6" };

  it("passes limits, never a location that is marked full", () => {
    const item = { id: 1, reason: "", name: "" };

    expect(canOverride({ ...item, limits: [{ ...limit, can_override: true }] })).toBe(true);
    expect(canOverride({ ...item, limits: [{ ...limit, can_override: false }] })).toBe(false);
    expect(canOverride(item)).toBe(false);
  });
});

describe("idsOf", () => {
  const selection = {
    ids: ["4", "5"],
    allMatching: false,
    count: 2,
    params: { page: 1, page_size: 25 },
  };

  beforeEach(installServer);

  it("are those chosen one by one, without a request", async () => {
    await expect(idsOf(selection, 12, "all")).resolves.toEqual([4, 5]);
    expect(sent()).toEqual([]);
  });

  it("of everything that matches are asked for under the same search and state", async () => {
    answer("GET /api/batchItems", ({ query }) =>
      page([anItem({ id: Number(query.get("page")) })], 2, 500),
    );
    const all = {
      ...selection,
      ids: [],
      allMatching: true,
      count: 501,
      params: { page: 3, page_size: 25, search: "brick" },
    };

    await expect(idsOf(all, 12, "new")).resolves.toEqual([1, 2]);
    expect(sent().map(({ query }) => query.toString())).toEqual([
      "search=brick&batch=12&state=new&page=1&page_size=500&ordering=id",
      "search=brick&batch=12&state=new&page=2&page_size=500&ordering=id",
    ]);
  });

  it("refuses more than one request may name", async () => {
    const all = { ...selection, allMatching: true, count: 10_001 };

    await expect(idsOf(all, 12, "all")).rejects.toThrow(/At most 10,000/);
  });
});
