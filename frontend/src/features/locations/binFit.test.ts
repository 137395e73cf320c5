import { fitOf } from "./binFit";
import { aLocation } from "./testing/builders";

const one = { quantity: 1, grams: 2.5 };

describe("fitOf", () => {
  it.each([
    ["what is free in pieces", { max_item_count: 60, item_count: 23 }, one, "room for 37"],
    [
      "what is free by both limits",
      { max_item_count: 60, max_total_weight: "100.0000", stored_weight: "40.0000" },
      one,
      "room for 60, 60 g free",
    ],
    [
      "which pieces the weight leaves out",
      { max_total_weight: "100.0000", stored_weight: "40.0000", unknown_weight_count: 14 },
      one,
      "60 g free (14 pieces without a weight not counted)",
    ],
    ["that nothing limits an empty one", {}, one, "empty, no limit"],
    ["what lies in one without limit", { item_count: 5 }, one, "5 in it"],
    [
      "that one is left out of the recommendations",
      { exclude_from_recommendations: true },
      one,
      "empty, no limit, not recommended by itself",
    ],
    [
      "nothing of the weight where nobody knows it",
      { max_item_weight: "1.0000" },
      { quantity: 1, grams: null },
      "empty, no limit",
    ],
  ])("says %s", (_, room, pieces, text) => {
    expect(fitOf(aLocation(room), pieces)).toEqual({ fits: true, closed: false, text });
  });

  it.each([
    ["a bin that has less room", { max_item_count: 60, item_count: 52 }, 12, "room for 8, not 12"],
    ["a bin over its limit", { max_item_count: 60, item_count: 63 }, 1, "room for 0, not 1"],
    [
      "a bin that takes less weight",
      { max_total_weight: "50.0000", stored_weight: "40.0000" },
      12,
      "10 g free, not 30 g",
    ],
    ["a bin for heavier pieces", { min_item_weight: "5.0000" }, 1, "for pieces from 5 g"],
    ["a bin for lighter pieces", { max_item_weight: "2.0000" }, 1, "for pieces up to 2 g"],
  ])("says why %s does not take it", (_, room, quantity, text) => {
    const fit = fitOf(aLocation(room), { quantity, grams: 2.5 });

    expect(fit).toEqual({ fits: false, closed: false, text });
  });

  it("is closed where a person marked it full, whatever the counts say", () => {
    expect(fitOf(aLocation({ is_full: true }), one)).toEqual({
      fits: false,
      closed: true,
      text: "marked full",
    });
  });
});
