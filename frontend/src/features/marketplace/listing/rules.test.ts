import { endWords, retryable } from "./rules";

const nothing = { listed: 0, failed: [], failedCount: 0, unknownCount: 0, settleJobId: null };

describe("endWords", () => {
  it.each([
    [{ listed: 1 }, "1 item listed"],
    [{ listed: 1200 }, "1,200 items listed"],
    [{ listed: 3, failedCount: 2 }, "3 listed, 2 refused"],
    [{ listed: 3, failedCount: 2, unknownCount: 1 }, "3 listed, 2 refused, 1 not known yet"],
    [{ failedCount: 2 }, "Nothing listed: 2 refused"],
  ])("tells %j as %s", (end, words) => {
    expect(endWords({ ...nothing, ...end })).toBe(words);
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
