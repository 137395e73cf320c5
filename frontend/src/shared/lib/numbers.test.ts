import { formatCount, formatMoney } from "./format";
import { numberText, readNumber, setNumberLanguage } from "./numbers";

afterEach(() => setNumberLanguage(null));

const languages = ["en", "de", "fr", "de-CH", "en-IN", "es", "pl", "sv", "ar-EG"];

describe.each(languages)("in %s", (language) => {
  beforeEach(() => setNumberLanguage(language));

  it.each(["0", "0.5", "7", "1250", "1250.5", "1234567.8901", "99999999"])(
    "reads %s as it is shown and as it is edited",
    (value) => {
      expect(readNumber(numberText(value))).toEqual({ value });
      expect(readNumber(formatMoney(value))).toEqual({ value: expect.stringContaining(value) });
      if (!value.includes(".")) expect(readNumber(formatCount(Number(value)))).toEqual({ value });
    },
  );

  it("never reads a number that its own writing does not mean", () => {
    for (const text of ["1,2,3", "1.2.3", "12,34.5.6", "1,,250", ",", ".", "0,250.1,5", "1 25"]) {
      expect(readNumber(text)).toHaveProperty("problem");
    }
  });
});

it.each([
  ["en", "1.250,00"],
  ["en-IN", "123,456.7"],
  ["de", "1,250.00"],
  ["fr", "1.250"],
])("in %s refuses %s, which another language writes", (language, text) => {
  setNumberLanguage(language);

  expect(readNumber(text)).toEqual({ problem: expect.stringContaining("before decimals") });
});

it.each([
  ["en", "1,25", "1.25"],
  ["en", "0,250", "0.250"],
  ["en", "1,250", "1250"],
  ["de", "0.12", "0.12"],
  ["de", "1.250", "1250"],
  ["fr", "1.5", "1.5"],
])("in %s reads %s as %s", (language, text, value) => {
  setNumberLanguage(language);

  expect(readNumber(text)).toEqual({ value });
});

it("takes signs, and spaces between thousands", () => {
  expect(["-10", "−10.5", "+3", "1 250", "-0", "007"].map((text) => readNumber(text))).toEqual(
    ["-10", "-10.5", "3", "1250", "0", "7"].map((value) => ({ value })),
  );
});
