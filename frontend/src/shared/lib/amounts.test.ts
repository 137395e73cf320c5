import { priceOf, whyNotPrice, whyNotQuantity } from "./amounts";

describe("whyNotQuantity", () => {
  it.each(["", "1.5", "-1", "1,000", "many"])("refuses %p", (text) => {
    expect(whyNotQuantity(text)).toBe("A whole number, 0 or more.");
  });

  it("takes 0 up to 9,999,999", () => {
    expect([whyNotQuantity("0"), whyNotQuantity(" 9999999 ")]).toEqual([null, null]);
    expect(whyNotQuantity("10000000")).toBe("At most 9,999,999.");
  });
});

describe("whyNotPrice", () => {
  it("takes up to four places, with point or comma", () => {
    expect([whyNotPrice("0.1234"), whyNotPrice("0,12"), whyNotPrice("12")]).toEqual([
      null,
      null,
      null,
    ]);
    expect(priceOf(" 0,12 ")).toBe("0.12");
  });

  it.each(["", "0.12345", "-1", ".5", "1,234.5"])("refuses %p", (text) => {
    expect(whyNotPrice(text)).not.toBeNull();
  });
});
