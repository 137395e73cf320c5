import { readRange, writeRange } from "./filterText";

describe("a typed range", () => {
  it.each([
    ["", "", ""],
    ["5", "5", "5"],
    ["= 5", "5", "5"],
    ["5-10", "5", "10"],
    ["5 – 10", "5", "10"],
    ["0,5..2,25", "0.5", "2.25"],
    [">5", "5", ""],
    ["≥ 5", "5", ""],
    ["<=10", "", "10"],
    ["5-", "5", ""],
    ["-10", "", "10"],
  ])("%s is from %s to %s", (text, from, to) => {
    expect(readRange(text)).toEqual({ from, to });
  });

  it.each(["a", "5 10", "-", ">", "1-2-3", "1e5"])("%s is none", (text) => {
    expect(readRange(text)).toBeNull();
  });

  it.each(["5", "5–10", "≥ 5", "≤ 10", ""])("%s is written as it is read", (text) => {
    expect(writeRange(readRange(text) ?? { from: "x", to: "x" })).toBe(text);
  });
});
