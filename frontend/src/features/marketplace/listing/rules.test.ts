import { aJob } from "@/features/jobs/testing/builders";
import { actOf, endOf, endWords, retryable } from "./rules";

const nothing = {
  act: "items" as const,
  done: 0,
  failed: [],
  failedCount: 0,
  unknownCount: 0,
  settleJobId: null,
};

describe("endWords", () => {
  it.each([
    [{ done: 1 }, "1 lot listed"],
    [{ done: 1200 }, "1,200 lots listed"],
    [{ done: 3, failedCount: 2 }, "3 listed, 2 refused"],
    [{ done: 3, failedCount: 2, unknownCount: 1 }, "3 listed, 2 refused, 1 not known yet"],
    [{ failedCount: 2 }, "Nothing listed: 2 refused"],
    [{ act: "stock" as const, done: 1 }, "1 row listed"],
    [{ act: "unlist" as const, done: 2 }, "2 rows taken off sale"],
    [{ act: "unlist" as const, failedCount: 1 }, "Nothing taken off sale: 1 refused"],
  ])("tells %j as %s", (end, words) => {
    expect(endWords({ ...nothing, ...end })).toBe(words);
  });
});

describe("actOf", () => {
  it.each([
    ["batches.list_items", {}, "items"],
    ["batches.list_stock", {}, "stock"],
    ["batches.unlist_stock", {}, "unlist"],
    ["batches.settle_listings", {}, "items"],
    ["batches.settle_stock_listings", { unlists: false }, "stock"],
    ["batches.settle_stock_listings", { unlists: true }, "unlist"],
  ])("of %s with %j is %s", (kind, result, act) => {
    expect(actOf(aJob({ kind, result }))).toBe(act);
  });
});

describe("endOf", () => {
  it("counts what a job did that stopped without a result", () => {
    const job = aJob({ kind: "batches.list_stock", result: {}, done: 5, failed_count: 2 });

    expect(endOf(job)).toMatchObject({ act: "stock", done: 3, failedCount: 2 });
  });
});

describe("retryable", () => {
  it("leaves out what the store has yet to say", () => {
    const failed = [
      { id: 1, name: "", reason: "", outcome: "rejected" as const },
      { id: 2, name: "", reason: "", outcome: "unknown" as const },
      { id: 3, name: "", reason: "" },
    ];
    expect(retryable(failed)).toEqual([1, 3]);
  });
});
