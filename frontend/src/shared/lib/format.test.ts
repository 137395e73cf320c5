import {
  formatAgo,
  formatCount,
  formatDate,
  formatDateTime,
  formatFigure,
  formatMoney,
  formatWeight,
  setFormats,
  signed,
} from "./format";
import { problemFields, problemText } from "./problem";

describe("formats", () => {
  it("write money with two places, and with four where they matter", () => {
    expect(formatMoney("12.5000")).toBe("12.50");
    expect(formatMoney("0.0325", "EUR")).toBe("€0.0325");
    expect(formatMoney("0.0325", "$")).toBe("0.0325");
    expect(formatMoney(null)).toBe("–");
  });

  it("write averages with two significant digits, and two places at least", () => {
    const written = ["12.3456", "0.1194", "0.0312", "0.0300", "0.0049"].map((amount) =>
      formatFigure(amount),
    );
    expect(written).toEqual(["12.35", "0.12", "0.031", "0.03", "0.0049"]);
    expect(formatFigure(null)).toBe("–");
  });

  it("write weights as grams, from a kilogram on as kilograms", () => {
    expect(formatWeight("2.3200")).toBe("2.32 g");
    expect(formatWeight(1500)).toBe("1.5 kg");
    expect(formatWeight(null)).toBe("–");
  });

  it("write weights in ounces and pounds for who wants them so", () => {
    setFormats({ units: "oz" });
    expect([formatWeight("28.3495"), formatWeight(453.59237), formatWeight(1000)]).toEqual([
      "1 oz",
      "1 lb",
      "2.2 lb",
    ]);
    setFormats(null);
    expect(formatWeight(1)).toBe("1 g");
  });

  it("write times in the zone that was chosen", () => {
    const iso = "2026-01-02T03:04:05Z";
    setFormats({ time_zone: "America/New_York" });
    expect([formatDate(iso), formatDateTime(iso)]).toEqual(["1 Jan 2026", "1 Jan 2026, 22:04"]);
    setFormats({ time_zone: "Europe/Atlantis" });
    expect(formatDate(iso)).toBe("2 Jan 2026");
    setFormats(null);
  });

  it("write counts with separators", () => {
    expect(formatCount(1284)).toBe("1,284");
  });

  it("tell how long ago something was", () => {
    const now = Date.parse("2026-01-02T00:00:00Z");

    expect(formatAgo("2026-01-01T21:00:00Z", now)).toBe("3 hours ago");
    expect(formatAgo("2026-01-01T23:59:40Z", now)).toBe("just now");
  });
});

describe("problemText", () => {
  it("is the error's own text", () => {
    expect(problemText(new Error("No room."))).toBe("No room.");
    expect(problemText(undefined)).toBe("Something went wrong. Please try again.");
  });

  it.each([
    ["email_address: Enter a valid address.", "E-mail address: Enter a valid address."],
    ["inventory_container_type_id: not found", "Container type: not found"],
    ["update.3.qty: too many", "Row 4, quantity: too many"],
    ["bricklinkSyncedAt: not a time", "Bricklink synced at: not a time"],
    ["A-01: is full", "A-01: is full"],
    ["There is no such item: look again.", "There is no such item: look again."],
  ])("calls fields what forms call them: %s", (told, shown) => {
    expect(problemText(new Error(told))).toBe(shown);
  });

  it.each([
    [{ status: 401, code: "NOT_AUTHENTICATED" }, /^Your session has ended\. Sign in again/],
    [{ status: 502, failure: "server" }, /^The server does not answer/],
    [{ status: 429, failure: "rateLimit" }, /^Too many requests/],
    [{ status: 418 }, /^The server refused this/],
  ])("says what to do where the server says nothing: %j", (of, text) => {
    expect(problemText(Object.assign(new Error("API request failed"), of))).toMatch(text);
  });

  it("tells of exhausted retries their cause and their number", () => {
    const error = Object.assign(new Error("Max retry attempts (3) exceeded for x"), {
      cause: new Error("Unable to connect."),
      totalAttempts: 4,
    });

    expect(problemText(error)).toBe("Unable to connect. (4 attempts)");
  });
});

describe("problemFields", () => {
  it("gives the messages by field, as lists", () => {
    expect(problemFields({ fields: { qty: ["too many"], name: "taken" } })).toEqual({
      qty: ["too many"],
      name: ["taken"],
    });
    expect(problemFields(new Error("x"))).toEqual({});
  });
});

describe("a difference", () => {
  it("has its sign", () => {
    expect([signed(1200), signed(-3)]).toEqual(["+1,200", "−3"]);
  });
});
