import { emptyHome } from "@/shared/testing/emptyHome";
import { barOf, marketplaceCondition, verdictOn } from "./rules";

describe("marketplaceCondition", () => {
  const link = emptyHome().health.marketplace;

  it.each([
    [{}, "neutral", "not connected"],
    // The demo store connects when it is first used.
    [{ has_store: true }, "success", "connected"],
    [{ has_store: true, state: "refused", problem: "Token revoked" }, "danger", "Token revoked"],
    [{ has_store: true, state: "untested" }, "warning", "not tried yet"],
    [{ has_store: true, state: "ok", calls_left: 4000 }, "success", "connected"],
    [{ has_store: true, state: "ok", calls_left: 0 }, "warning", "answers again tomorrow"],
  ] as const)("of %o is %s: %s", (also, tone, text) => {
    expect(marketplaceCondition({ ...link, ...also })).toEqual({ tone, text });
  });
});

describe("what batches give back", () => {
  it.each([
    [{ sold: "25.0000", paid_back: "2.5000" }, true, "paid back 2.5×"],
    [{ sold: "4.0000", paid_back: "0.4000" }, false, "€6.00 to go"],
    [{ sold: "0.0000", paid_back: null }, false, "nothing sold yet"],
  ])("of %o, bought for 10.00, is %s: %s", (batch, isGood, text) => {
    expect(verdictOn({ cost: "10.0000", ...batch }, "EUR")).toEqual({ isGood, text });
  });

  it.each([
    [
      { sold: "4", in_stock: "3" },
      { sold: 40, worth: 70 },
    ],
    [
      { sold: "0", in_stock: "55" },
      { sold: 0, worth: 100 },
    ],
    [
      { sold: "25", in_stock: "7" },
      { sold: 100, worth: 100 },
    ],
    // A refund can cost more than the batch brought.
    [
      { sold: "-2", in_stock: "1" },
      { sold: 0, worth: 0 },
    ],
  ])("of %o, bought for 10.00, fills %o percent of its bar", (batch, lengths) => {
    expect(barOf({ cost: "10", ...batch })).toEqual(lengths);
  });
});
