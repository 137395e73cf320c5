import { binLetterSize } from "./binName";

describe("binLetterSize", () => {
  it.each([
    ["A-01", "clamp(max(96px, 6rem), 37.9cqi, 13.5rem)"],
    ["B", "clamp(max(96px, 6rem), 75.8cqi, 13.5rem)"],
    ["Cabinet 3 drawer 12", "clamp(max(96px, 6rem), 8.0cqi, 13.5rem)"],
  ])("of %s fills its box and never falls below 96 px", (name, expected) => {
    expect(binLetterSize(name)).toBe(expected);
  });
});
