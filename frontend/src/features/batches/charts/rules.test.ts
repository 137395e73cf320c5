import { aBatch } from "../testing/builders";
import { axisEnd, dotsOf } from "./rules";

describe("the end of an axis", () => {
  it.each([
    [0, 1],
    [0.3, 0.5],
    [1, 1],
    [1.01, 2],
    [21, 25],
    [99, 100],
    [1234, 2000],
  ])("above %s is %s", (most, end) => {
    expect(axisEnd(most)).toBeCloseTo(end, 10);
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
