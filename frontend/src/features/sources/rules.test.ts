import type { SourceBatch } from "./model";
import { pricesPerKg, shareText, verdictOf } from "./rules";

const aBatch = (values: Partial<SourceBatch>): SourceBatch => ({
  id: 1,
  name: "Lot",
  cost_total: "10.0000",
  gross_weight: "2000.000",
  stats: { total_lots: 1, total_value: "0.0000", lots_without_price: 0 },
  created_at: "2026-01-01T00:00:00Z",
  ...values,
});

describe("shareText", () => {
  it.each([
    ["0.0476", "4.8 %"],
    ["0.0000", "0 %"],
    ["0.0003", "under 0.1 %"],
    ["1.0000", "100 %"],
    [null, "unknown"],
  ])("of %s is %s", (share, text) => expect(shareText(share)).toBe(text));
});

describe("verdictOf", () => {
  it.each([
    ["1.0000", "gain"],
    ["0.9999", "loss"],
    [null, "unknown"],
  ])("of %s is %s", (ratio, verdict) => expect(verdictOf(ratio)).toBe(verdict));
});

describe("pricesPerKg", () => {
  it("takes the batches that tell cost and weight, oldest first", () => {
    const found = pricesPerKg([
      aBatch({ id: 1, created_at: "2026-03-01T00:00:00Z" }),
      aBatch({ id: 2, created_at: "2026-01-01T00:00:00Z", cost_total: "30.0000" }),
      aBatch({ id: 3, cost_total: null }),
      aBatch({ id: 4, gross_weight: null }),
      aBatch({ id: 5, gross_weight: "0.000" }),
    ]);
    expect(found.map(({ id, perKg }) => [id, perKg])).toEqual([
      [2, 15],
      [1, 5],
    ]);
  });
});
