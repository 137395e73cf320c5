import {
  priceOf,
  readPrice,
  shortPrice,
  wholeOf,
  whyNotPieces,
  whyNotPrice,
  whyNotQuantity,
  whyNotWhole,
} from "./amounts";
import { setNumberLanguage } from "./numbers";

afterEach(() => setNumberLanguage(null));

describe("whyNotQuantity", () => {
  it.each(["", "1.5", "-1", "10,00", "1.000", "many"])("refuses %p", (text) => {
    expect(whyNotQuantity(text)).toBe("A whole number, 0 or more.");
  });

  it("takes 0 up to 9,999,999, grouped or not", () => {
    expect(["0", " 9999999 ", "9,999,999"].map(whyNotQuantity)).toEqual([null, null, null]);
    expect(whyNotQuantity("10000000")).toBe("At most 9,999,999.");
    expect(wholeOf(" 9,999,999 ")).toBe(9_999_999);
  });
});

describe("whyNotPieces", () => {
  it.each(["", "0", "1.5", "-1", "many"])("refuses %p", (text) => {
    expect(whyNotPieces(text)).toBe("A whole number, 1 or more.");
  });

  it("takes 1 up to the most", () => {
    expect([whyNotPieces("1"), whyNotPieces("10", 10)]).toEqual([null, null]);
    expect(whyNotPieces("11", 10)).toBe("At most 10.");
  });
});

describe("whyNotWhole", () => {
  it("names the range", () => {
    expect([whyNotWhole("-99", -99, 100), whyNotWhole("100", -99, 100)]).toEqual([null, null]);
    expect(whyNotWhole("101", -99, 1000)).toBeNull();
    expect(whyNotWhole("1001", -99, 1000)).toBe("A whole number from -99 to 1,000.");
  });
});

describe("whyNotPrice", () => {
  it("takes up to four places", () => {
    expect(["0.1234", ".5", "12", "1,250", "1,250.00"].map(whyNotPrice)).toEqual(
      Array(5).fill(null),
    );
    expect(["1,250", "1,250.00", ".5", " 0.12 "].map(priceOf)).toEqual([
      "1250",
      "1250.00",
      "0.5",
      "0.12",
    ]);
  });

  it.each(["1.250,00", "12,50,0", "1,250,00"])(
    "says what was expected instead of %p, which could be read in two ways",
    (text) => {
      expect(whyNotPrice(text)).toBe("A number such as 1,250.50: “.” before decimals.");
    },
  );

  it.each(["", "0.12345", "-1", "many", "123456789"])("refuses %p", (text) => {
    expect(whyNotPrice(text)).toBe("An amount such as 0.12, up to four places.");
  });

  it("reads as the person's language writes", () => {
    setNumberLanguage("de");

    expect(["1.250", "1.250,00", ",5", "0,12"].map(priceOf)).toEqual([
      "1250",
      "1250.00",
      "0.5",
      "0.12",
    ]);
    expect(whyNotPrice("1,250.00")).toBe("A number such as 1.250,50: “,” before decimals.");
    expect(whyNotPrice("0,12345")).toBe("An amount such as 0,12, up to four places.");
  });
});

describe("readPrice", () => {
  it.each([
    ["0.12", "0.12"],
    [" 0,12 ", "0.12"],
    ["3", "3"],
    ["0.1234", "0.1234"],
    ["", null],
    ["  ", null],
    ["0.12345", undefined],
    ["-1", undefined],
    ["1,234.50", "1234.50"],
    ["abc", undefined],
    [".5", "0.5"],
  ])("reads %j as %j", (text, expected) => {
    expect(readPrice(text)).toBe(expected);
  });
});

describe("shortPrice", () => {
  it.each([
    ["0.1200", "0.12"],
    ["0.1000", "0.10"],
    ["1.0000", "1.00"],
    ["0.1234", "0.1234"],
    ["0.1230", "0.123"],
    ["12", "12"],
  ])("shows %s as %s", (price, expected) => {
    expect(shortPrice(price)).toBe(expected);
  });
});
