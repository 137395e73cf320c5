import { copyCondition, countToDo, marketplaceCondition, refusedVerb } from "./rules";
import { emptyHome } from "./testing";

describe("marketplaceCondition", () => {
  const link = emptyHome().health.marketplace;

  it.each([
    [{}, "neutral", "not connected"],
    [{ state: "refused", problem: "Token revoked" }, "danger", "Token revoked"],
    [{ state: "untested" }, "warning", "not tried yet"],
    [{ state: "ok", calls_used: 1000 }, "success", "4,000 calls left today"],
    [{ state: "ok", calls_used: 5000 }, "warning", "no calls left today"],
  ] as const)("of %o is %s: %s", (also, tone, text) => {
    expect(marketplaceCondition({ ...link, ...also })).toEqual({ tone, text });
  });
});

describe("copyCondition", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const copy = { id: 1, name: "a.zip", at: "2026-11-20T12:00:00Z", of: "everything" } as const;

  it.each([
    [null, "neutral", "none yet: there is no copy of your store"],
    [copy, "success", "backup, yesterday"],
    [{ ...copy, of: "inventory" }, "success", "export of the inventory, yesterday"],
    [{ ...copy, at: "2026-10-20T12:00:00Z" }, "warning", "backup, last month"],
  ] as const)("of %o is %s: %s", (found, tone, text) => {
    expect(copyCondition(found, now)).toEqual({ tone, text });
  });
});

describe("to do", () => {
  it("counts each thing once", () => {
    const { to_do } = emptyHome();
    const planned = { lots: 1, pieces: 2, batches: 1, batch_id: 3, since: "2026-11-01T00:00:00Z" };
    expect(countToDo(to_do)).toBe(0);
    expect(countToDo({ ...to_do, planned })).toBe(1);
  });

  it("says what rows could not be", () => {
    expect(refusedVerb("markListed")).toBe("marked as listed");
  });
});
