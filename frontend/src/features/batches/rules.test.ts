import {
  activeText,
  foreignText,
  itemName,
  returnOf,
  runningWords,
  segmentsOf,
  statusWords,
  whyNotList,
  whyNotMarkListed,
  whyNotStow,
} from "./rules";
import { aBatch, anItem } from "./testing/builders";

describe("returnOf", () => {
  it.each([
    ["30.0000", "12.0000", 4, 2.5],
    ["30.0000", null, 4, null],
    ["30.0000", "0.0000", 4, null],
    ["0.0000", "12.0000", 4, 0],
    ["0.0000", "12.0000", 0, null],
  ])("of value %s and cost %s in %s pieces is %s", (total_value, cost_total, pieces, expected) => {
    expect(returnOf({ total_value, cost_total, batch_item_item_count: pieces })).toBe(expected);
  });
});

describe("itemName", () => {
  it("says no colour of what has none", () => {
    const figure = { item_number: "hp005", item_name: "Harry", color_name: "(Not Applicable)" };
    expect(itemName(figure)).toBe("hp005");
    expect(itemName({ ...figure, color_name: "Red" })).toBe("hp005 Red");
  });
});

describe("foreignText", () => {
  it.each([
    [40, 800, "40 (4.8 %)"],
    [0, 800, "0"],
    [1200, 0, "1,200"],
  ])("of %s thrown out beside %s kept is %s", (foreign_count, total_items, expected) => {
    const batch = aBatch({ foreign_count });
    expect(foreignText({ ...batch, stats: { ...batch.stats, total_items } })).toBe(expected);
  });
});

describe("runningWords", () => {
  it("names each flag that is up", () => {
    const batch = aBatch({ isStowing: true, isExporting: true });

    expect(runningWords(batch)).toEqual(["Stowing", "Exporting"]);
    expect(runningWords({ ...batch, progress: { isStowing: 45 } })).toEqual([
      "Stowing 45 %",
      "Exporting",
    ]);
    expect(runningWords(aBatch())).toEqual([]);
  });
});

describe("segmentsOf", () => {
  it("counts lots and pieces of the three states in their order", () => {
    const { stats } = aBatch();
    const segments = segmentsOf({ ...stats, new_lots: 2, new_items: 20, listed_lots: 1 });

    expect(segments.map(({ state, lots, items }) => [state, lots, items])).toEqual([
      ["new", 2, 20],
      ["stowed", 0, 0],
      ["listed", 1, 0],
    ]);
  });
});

describe("activeText", () => {
  it.each([
    [0, "–"],
    [59, "–"],
    [60, "1 min"],
    [3599, "59 min"],
    [3600, "1 h"],
    [9000, "2 h 30 min"],
  ])("of %s seconds is %s", (seconds, text) => {
    expect(activeText(seconds)).toBe(text);
  });
});

describe("statusWords", () => {
  it.each([
    [{ state: "new" }, "New"],
    [{ state: "new", is_stowed_pending: true }, "Stowing…"],
    [{ state: "stowed", is_listed_pending: true }, "Listing…"],
    [{ state: "listed" }, "Listed"],
  ] as const)("calls %o %s", (values, words) => {
    expect(statusWords(anItem(values))).toBe(words);
  });
});

describe("what cannot be done with items", () => {
  const isNew = anItem();
  const stowed = anItem({ state: "stowed", is_stowed: true });
  const listed = anItem({ state: "listed", is_stowed: true, is_listed: true });

  it("is told where it holds for all of them", () => {
    expect(whyNotStow([stowed, listed])).toMatch(/already/);
    expect(whyNotStow([stowed, isNew])).toBeNull();
    expect(whyNotMarkListed([isNew])).toBe("Stow them first");
    expect(whyNotMarkListed([listed])).toMatch(/already/);
    expect(whyNotMarkListed([listed, stowed])).toBeNull();
    expect(whyNotStow([])).toBeNull();
  });
});

describe("whyNotList", () => {
  const stowed = { state: "stowed", is_listed_pending: false } as const;
  const pending = { ...stowed, is_listed_pending: true };

  it("offers what is stowed and not on its way", () => {
    expect(whyNotList([pending])).toBe("These are being listed");
    expect(whyNotList([{ ...stowed, state: "new" }])).toBe("Stow them first");
    expect(whyNotList([pending, stowed])).toBeNull();
  });
});
