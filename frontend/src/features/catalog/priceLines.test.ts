import type { PricePoint } from "./model";
import { niceTop, pricesByDay } from "./priceLines";

const point = (given: Partial<PricePoint>): PricePoint => ({
  condition: "U",
  region: "global",
  day: "2026-01-01",
  avg_sold_price: "0.1000",
  avg_inventory_price: "0.2000",
  low_price: null,
  ...given,
});
describe("the chart of a lot's prices", () => {
  it("has a line for each of sold and asked, US and worldwide, that has a price", () => {
    const { lines } = pricesByDay(
      [point({}), point({ day: "2026-01-11" }), point({ region: "us", avg_sold_price: null })],
      "U",
    );

    expect(lines.map(({ id }) => id)).toEqual(["sold", "asked", "askedUs"]);
  });

  it("has the amounts of each day, the oldest first", () => {
    const { days } = pricesByDay(
      [point({ day: "2026-01-11" }), point({}), point({ region: "us", avg_sold_price: null })],
      "U",
    );

    expect(days).toEqual([
      { day: "2026-01-01", amounts: { sold: 0.1, asked: 0.2, askedUs: 0.2 } },
      { day: "2026-01-11", amounts: { sold: 0.1, asked: 0.2 } },
    ]);
  });

  it("is none of another condition, or where nothing has a price", () => {
    expect(pricesByDay([point({})], "N").days).toEqual([]);
    expect(
      pricesByDay([point({ avg_sold_price: null, avg_inventory_price: null })], "U").days,
    ).toEqual([]);
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
