import { differenceOf, percentText } from "./market";

describe("the difference to the reference price", () => {
  it.each([
    ["0.3000", "0.2000", "+50 %"],
    ["0.2060", "0.2000", "+3.0 %"],
    ["0.1500", "0.2000", "−25 %"],
    ["0.2000", "0.2000", "0 %"],
    ["0.1994", "0.2000", "−0.3 %"],
    [null, "0.2000", "–"],
    ["0.0000", "0.2000", "−100 %"],
    ["0.3000", null, "–"],
  ])("of %s to %s is %s", (price, reference_price, words) => {
    expect(percentText(differenceOf({ price, reference_price }))).toBe(words);
  });
});
