import { percentOf, whyNotPercent } from "./percent";

describe("percentages", () => {
  it.each([
    ["-10", "-10"],
    ["+7,5 %", "7.5"],
    ["0.25%", "0.25"],
  ])("reads %s as %s", (text, wire) => {
    expect(whyNotPercent(text)).toBeNull();
    expect(percentOf(text)).toBe(wire);
  });

  it.each(["", "ten", "-100", "1.234"])("refuses %s", (text) => {
    expect(whyNotPercent(text)).not.toBeNull();
  });
});
