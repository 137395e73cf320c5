import { type Order, orderedText } from "./model";

describe("orderedText", () => {
  const at = { orderedAt: "2026-01-02T03:04:05Z", orderedOn: null, is_dated: true } as Order;

  it("names a day where no time is known, and none where no date is", () => {
    expect(orderedText({ ...at, orderedOn: "2026-01-01" })).toContain("1");
    expect(orderedText({ ...at, is_dated: false })).toBe("No date");
  });
});
