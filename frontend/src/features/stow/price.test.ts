import { readPrice, shortPrice } from "./price";

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
