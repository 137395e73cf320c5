import { alertDue, countdown, isOver, isUrgent, remaining, verdictOf, worthReason } from "./rules";

const NOON = Date.parse("2026-11-21T12:00:00Z");
const inSeconds = (seconds: number) => new Date(NOON + seconds * 1000).toISOString();

describe("remaining", () => {
  it.each([
    [2 * 86_400 + 4 * 3600, "2d 4h"],
    [3 * 3600 + 12 * 60, "3h 12m"],
    [570, "9m 30s"],
    [9, "9s"],
    [0, "Ended"],
    [-5, "Ended"],
  ])("of %d seconds is %s", (seconds, text) => {
    expect(remaining(inSeconds(seconds), NOON)).toBe(text);
  });

  it("is nothing without an end", () => {
    expect(remaining(null, NOON)).toBe("");
  });
});

describe("isOver", () => {
  it.each([
    ["", inSeconds(-1), true],
    ["", inSeconds(1), false],
    ["", null, false],
    ["won", inSeconds(1), true],
    ["lost", inSeconds(-1), false],
  ])("with the outcome %j and the end %s is %s", (outcome, end_time, over) => {
    expect(isOver({ outcome, end_time }, NOON)).toBe(over);
  });
});

describe("isUrgent", () => {
  it.each([
    [599, true],
    [600, false],
    [0, false],
  ])("of %d seconds is %s", (seconds, urgent) => {
    expect(isUrgent(inSeconds(seconds), NOON)).toBe(urgent);
  });
});

describe("alertDue", () => {
  it("comes once, an hour and ten minutes before the end", () => {
    const end = inSeconds(3600);
    expect(alertDue(end, NOON - 1000, NOON)).toBe(60);
    expect(alertDue(end, NOON, NOON + 1000)).toBeNull();
    expect(alertDue(inSeconds(600), NOON - 1000, NOON)).toBe(10);
  });

  it("is the later one when a sleep skipped both, and none after the end", () => {
    expect(alertDue(inSeconds(300), NOON - 7_200_000, NOON)).toBe(10);
    expect(alertDue(inSeconds(-1), NOON - 7_200_000, NOON)).toBeNull();
  });
});

describe("countdown", () => {
  it.each([
    [300, "5:00"],
    [61, "1:01"],
    [-3, "0:00"],
  ])("of %d seconds is %s", (seconds, text) => {
    expect(countdown(NOON + seconds * 1000, NOON)).toBe(text);
  });
});

describe("worthReason", () => {
  const worth = { id: 7, worth: "10.00", highest_bid: null, rests_on: "of_all" } as const;
  const basis = {
    batches: 1,
    source_name: "",
    value_per_kg: "20.0000",
    minutes_per_kg: null,
    fee_percent: "6.500",
    hourly_rate: "0.0000",
    net_per_kg: "18.7000",
  };

  it.each([
    [{}, "your time is not known"],
    [{ minutes_per_kg: "30.0" }, "your time is not counted"],
  ])("with %o says that %s", (also, text) => {
    expect(worthReason(worth, { ...basis, ...also })).toBe(
      `Worth $10.00 landed, by 1 batch: $20.00 a kilogram, less 6.5 % fees; ${text}.`,
    );
  });
});

describe("verdictOf", () => {
  const listing = { current_price: "24.99", weight_grams: "3000.00" };
  const worth = { id: 7, worth: "61.50", highest_bid: "48.20", rests_on: "of_site" as const };

  it.each([
    ["below the highest sensible bid", {}, worth, "Worth it up to $48.20"],
    ["above it", { current_price: "50.00" }, worth, "Too expensive by $1.80"],
    [
      "where shipping costs more than its worth",
      {},
      { ...worth, highest_bid: "0.00" },
      "Too expensive by $24.99",
    ],
    ["without shipping", {}, { ...worth, highest_bid: null }, "Shipping is needed first"],
    ["without a weight", { weight_grams: null }, undefined, "Ask for the weight"],
    ["where no batch tells it", {}, undefined, "Worth not known yet"],
  ])("of a listing %s", (_, changes, told, text) => {
    expect(verdictOf({ ...listing, ...changes }, told).text).toBe(text);
  });
});
