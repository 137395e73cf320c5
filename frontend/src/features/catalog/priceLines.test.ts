import { niceTop } from "@/shared/lib/axis";
import type { PricePoint } from "./model";
import { chartOf } from "./priceLines";

const point = (given: Partial<PricePoint>): PricePoint => ({
  condition: "U",
  region: "global",
  day: "2026-01-01",
  avg_sold_price: "0.1000",
  avg_inventory_price: "0.2000",
  low_price: null,
  ...given,
});
const box = { width: 100, height: 50 };

describe("the chart of a lot's prices", () => {
  it("has a line for each of sold and asked, US and worldwide, that has a price", () => {
    const chart = chartOf(
      [point({}), point({ day: "2026-01-11" }), point({ region: "us", avg_sold_price: null })],
      "U",
      box,
    );

    expect(chart?.lines.map(({ id, points }) => [id, points.length])).toEqual([
      ["sold", 2],
      ["asked", 2],
      ["askedUs", 1],
    ]);
  });

  it("puts days from left to right and amounts from the bottom", () => {
    const chart = chartOf(
      [point({}), point({ day: "2026-01-06" }), point({ day: "2026-01-11" })],
      "U",
      box,
    );

    const sold = chart?.lines[0]?.points;
    expect(sold?.map(({ x }) => x)).toEqual([0, 50, 100]);
    expect(sold?.[0]?.y).toBe(25);
    expect([chart?.from, chart?.to]).toEqual(["2026-01-01", "2026-01-11"]);
    expect(chart?.ticks.map(({ amount }) => amount)).toEqual([0, 0.1, 0.2]);
  });

  it("puts a single day in the middle", () => {
    expect(chartOf([point({})], "U", box)?.lines[0]?.points[0]?.x).toBe(50);
  });

  it("is none of another condition, or where nothing has a price", () => {
    expect(chartOf([point({})], "N", box)).toBeNull();
    expect(
      chartOf([point({ avg_sold_price: null, avg_inventory_price: null })], "U", box),
    ).toBeNull();
  });

  it.each([
    [0.13, 0.2],
    [0.2, 0.2],
    [0.21, 0.5],
    [7, 10],
    [1, 1],
    [0, 1],
  ])("ends its axis on a round amount: %d at %d", (largest, top) => {
    expect(niceTop(largest)).toBeCloseTo(top, 10);
  });
});
