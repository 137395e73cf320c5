import { binLetterSize } from "./BinBlock";

describe("binLetterSize", () => {
  it.each([
    ["A-01", "clamp(max(96px, 6rem), 37.9cqi, 18rem)"],
    ["B", "clamp(max(96px, 6rem), 75.8cqi, 18rem)"],
    ["Cabinet 3 drawer 12", "clamp(max(96px, 6rem), 8.0cqi, 18rem)"],
  ])("of %s fills its box and never falls below 96 px", (name, expected) => {
    expect(binLetterSize(name)).toBe(expected);
  });
});
