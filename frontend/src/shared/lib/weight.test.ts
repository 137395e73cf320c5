import { parseWeight, weightText } from "./weight";

describe("parseWeight", () => {
  it.each([
    ["250", "250"],
    [" 250 g ", "250"],
    ["1.2 kg", "1200"],
    ["1,5kg", "1500"],
    ["8 oz", "226.7962"],
    ["2 lb", "907.1847"],
    ["2 LBS", "907.1847"],
    [".5", "0.5"],
  ])("reads %s as %s grams", (text, grams) => {
    expect(parseWeight(text)).toBe(grams);
  });

  it("reads blank text as no limit", () => {
    expect(parseWeight("  ")).toBeNull();
  });

  it.each(["a lot", "-3", "1 stone", "1.2.3 kg", "12 g 3"])("refuses %s", (text) => {
    expect(parseWeight(text)).toBeUndefined();
  });
});

describe("weightText", () => {
  it("gives back what parseWeight reads", () => {
    expect(parseWeight(weightText("907.1847"))).toBe("907.1847");
    expect(weightText(null)).toBe("");
  });
});
