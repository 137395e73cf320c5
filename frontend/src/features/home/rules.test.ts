import { marketplaceCondition, scaleOf, verdictOn } from "./rules";
import { emptyHome } from "./testing/emptyHome";

describe("marketplaceCondition", () => {
  const link = emptyHome().health.marketplace;

  it.each([
    [{}, "neutral", "not connected"],
    // The demo store connects when it is first used.
    [{ has_store: true }, "success", "5,000 calls left today"],
    [{ has_store: true, state: "refused", problem: "Token revoked" }, "danger", "Token revoked"],
    [{ has_store: true, state: "untested" }, "warning", "not tried yet"],
    [{ has_store: true, state: "ok", calls_left: 4000 }, "success", "4,000 calls left today"],
    [{ has_store: true, state: "ok", calls_left: 0 }, "warning", "no calls left today"],
  ] as const)("of %o is %s: %s", (also, tone, text) => {
    expect(marketplaceCondition({ ...link, ...also })).toEqual({ tone, text });
  });
});

describe("what batches give back", () => {
  it("is a multiple of what was paid, or what is missing", () => {
    const batch = { value: "25.0000", cost: "10.0000", gives_back: "2.5000" };
    expect(verdictOn(batch, "EUR")).toEqual({ isGood: true, text: "worth 2.5× what you paid" });
    expect(verdictOn({ value: "4", cost: "10", gives_back: "0.4" }, "EUR")).toEqual({
      isGood: false,
      text: "€6.00 to go",
    });
  });

  it("is drawn on one scale", () => {
    expect(scaleOf([{ value: "4", cost: "10" }])).toBe(10);
    expect(scaleOf([])).toBe(1);
  });
});
