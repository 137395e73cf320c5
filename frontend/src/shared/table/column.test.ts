import { headText } from "./column";

describe("headText", () => {
  it.each([
    [true, "EUR", "Price, EUR"],
    [true, undefined, "Price"],
    [false, "EUR", "Price"],
  ])("names the currency of money alone: %s, %s", (money, currency, expected) => {
    expect(headText({ header: "Price", money }, currency)).toBe(expected);
  });
});
