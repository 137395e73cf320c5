import { aBatch } from "../testing/builders";
import { decadesOf, dotsOf } from "./rules";

describe("the decades of an axis", () => {
  it.each([
    [[], [1, 10]],
    [[0], [1, 10]],
    [[10], [10, 100]],
    [
      [0.5, 3],
      [0.1, 1, 10],
    ],
    [
      [2, 1000],
      [1, 10, 100, 1000],
    ],
    [
      [0, 12_345],
      [10_000, 100_000],
    ],
  ])("of %j are %j", (amounts, decades) => {
    expect(decadesOf(amounts).map((each) => Number(each.toPrecision(6)))).toEqual(decades);
  });
});

describe("the dots of a chart of value over cost", () => {
  it("are the batches that cost something", () => {
    const batches = [
      aBatch({ id: 1, name: "Market", cost_total: "20.0000", total_value: "50.0000" }),
      aBatch({ id: 2, name: "Gift", cost_total: "0.0000", total_value: "9.0000" }),
      aBatch({ id: 3, name: "Unknown", cost_total: null, total_value: "9.0000" }),
    ];
    expect(dotsOf(batches)).toEqual([{ id: 1, name: "Market", cost: 20, value: 50 }]);
  });
});
