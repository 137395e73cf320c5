import { aSync } from "../testing/builders";
import {
  canUndo,
  changesNothing,
  countsOf,
  countToType,
  currencyQuestion,
  fieldChanges,
  locationWords,
  plainWarnings,
  reasonWords,
  severalQuestion,
} from "./rules";

describe("countToType", () => {
  it.each([
    [11, 11],
    [0, null],
  ])("is what the preview wants confirmed: %s", (to_confirm, typed) => {
    expect(countToType({ to_confirm })).toBe(typed);
  });
});

describe("countsOf", () => {
  it("fills in what an early answer leaves out", () => {
    expect(countsOf({ counts: { created: 3 } })).toMatchObject({ created: 3, zeroed: 0 });
  });

  it("knows an import that changes nothing", () => {
    expect(changesNothing(countsOf({ counts: { lots: 5, unchanged: 5 } }))).toBe(true);
    expect(changesNothing(countsOf({ counts: { lots: 5, zeroed: 1 } }))).toBe(false);
    expect(changesNothing(countsOf({ counts: { lots: 5, uploaded: 1 } }))).toBe(false);
    expect(changesNothing(countsOf({ counts: { lots: 5, unchanged: 5, tied: 5 } }))).toBe(false);
  });
});

describe("currencyQuestion", () => {
  const { options } = aSync();
  const warnings = [
    {
      code: "currency_differs",
      message: "The file is in USD, your store in EUR.",
      file_currency: "USD",
      store_currency: "EUR",
    },
  ];

  it("asks while the currencies differ and nobody has answered", () => {
    expect(currencyQuestion({ warnings, options })).toEqual({ file: "USD", store: "EUR" });
  });

  it("asks nothing once it is answered, nor where they agree", () => {
    const answered = { ...options, currency_action: "relabel" as const };

    expect(currencyQuestion({ warnings, options: answered })).toBeNull();
    expect(currencyQuestion({ warnings: [], options })).toBeNull();
  });
});

describe("severalQuestion", () => {
  const told = { lots: 3, divisible: 1, separators: [";"], examples: [] };
  const warnings = [{ code: "several_locations", message: "3 lots name …", ...told }];

  it("is asked in a place of its own", () => {
    expect(severalQuestion({ warnings })).toEqual(told);
    expect(plainWarnings(warnings)).toEqual([]);
  });

  it("is none where no Remarks name several", () => {
    expect(severalQuestion({ warnings: [{ code: "repaired", message: "" }] })).toBeNull();
  });
});

describe("locationWords", () => {
  it.each([
    [1340, 1, "1,340 bins exist already. 1 lot has Remarks without the name of a bin."],
    [1, 0, "1 bin exists already."],
    [0, 4, "4 lots have Remarks without the name of a bin."],
    [0, 0, ""],
  ])("of %s matched and %s ignored is “%s”", (matched_locations, ignored_remarks, words) => {
    expect(locationWords({ matched_locations, ignored_remarks })).toBe(words);
  });
});

describe("fieldChanges", () => {
  it("names fields and shows values as people read them", () => {
    const changes = {
      quantity: { before: 4, after: 1200 },
      price: { before: "0.1200", after: "0.1" },
      condition: { before: "U", after: "N" },
      tq2: { before: null, after: 10 },
      retain: { before: false, after: true },
      remarks: { before: "", after: "B-07" },
    };

    expect(fieldChanges({ changes }).map((c) => [c.name, c.before, c.after])).toEqual([
      ["Quantity", "4", "1,200"],
      ["Price", "0.12", "0.10"],
      ["Condition", "Used", "New"],
      ["Tier 2 quantity", "–", "10"],
      ["Retain", "no", "yes"],
      ["Remarks", "–", "B-07"],
    ]);
  });

  it("leaves a reason that is a sentence as it is", () => {
    expect(reasonWords("Negative quantity.")).toBe("Negative quantity.");
    expect(reasonWords("unknown_item")).toBe("This item is not in the catalogue.");
    expect(reasonWords("unsaid_color")).toContain("does not say its colour");
  });
});

describe("canUndo", () => {
  it.each([
    ["applied", 10, true],
    ["cancelled", 2000, true],
    ["cancelled", 0, false],
    ["previewed", 0, false],
    ["undone", 0, false],
  ] as const)("of %s with %s lots applied is %s", (state, applied_lots, answer) => {
    expect(canUndo({ state, applied_lots })).toBe(answer);
  });
});
