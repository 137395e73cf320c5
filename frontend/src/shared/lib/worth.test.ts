import {
  leftOutText,
  priceText,
  returnText,
  rowWorth,
  summedWorth,
  valueText,
  worthOf,
  worthText,
} from "./worth";

describe("what rows are worth", () => {
  it("is exact, and leaves out what has no price", () => {
    const rows = [
      { quantity: 3, price: "6.8017" },
      { quantity: 5, price: null },
      { quantity: 0, price: null },
      { quantity: 2, price: "0.0000" },
    ];
    expect(worthOf(rows)).toEqual({ value: 20.4051, lots_without_price: 1 });
    expect(worthText(worthOf(rows))).toBe("20.41, 1 lot has no price");
  });

  it("is the same by row, by lot and as the server tells it", () => {
    const row = { quantity: 3, price: "6.8017" };
    expect(valueText(rowWorth(row))).toBe("20.41");
    expect(valueText(worthOf([row]).value)).toBe("20.41");
    expect(valueText("20.4051")).toBe("20.41");
    // Half a cent, which binary fractions would round down.
    expect(valueText(rowWorth({ quantity: 1, price: "20.405" }))).toBe("20.41");
    expect(valueText("1.0050")).toBe("1.01");
  });

  it("of lots without any price is unknown, not 0", () => {
    const worth = worthOf([{ quantity: 5, price: null }]);
    expect(worth).toEqual({ value: null, lots_without_price: 1 });
    expect(worthText(worth)).toBe("no price");
    expect(worthOf([])).toEqual({ value: 0, lots_without_price: 0 });
  });

  it("of a row without a price is nothing", () => {
    expect(rowWorth({ quantity: 3, price: null })).toBeNull();
    expect(valueText(null)).toBe("–");
  });
});

it("no price is said, a typed 0 is a price", () => {
  expect(priceText(null)).toBe("no price");
  expect(priceText("0.0000")).toBe("0.00");
  expect(leftOutText(0)).toBe("");
});

describe("a sum of the server's", () => {
  const sums = { total_value: "0.0000", total_lots: 3, lots_without_price: 3 };

  it("is unknown where no lot has a price", () => {
    expect(summedWorth(sums).value).toBeNull();
  });

  it.each([
    ["a price of 0 was typed", { ...sums, lots_without_price: 2 }],
    ["there are no lots", { ...sums, total_lots: 0, lots_without_price: 0 }],
  ])("is 0 where %s", (_why, known) => expect(summedWorth(known).value).toBe("0.0000"));
});

describe("returnText", () => {
  it.each([
    ["2.5000", "2.5×"],
    ["0.3333", "0.33×"],
    ["1.0000", "1×"],
    [12.3456, "12×"],
    [null, "–"],
  ])("of %s is %s", (ratio, text) => expect(returnText(ratio)).toBe(text));
});
