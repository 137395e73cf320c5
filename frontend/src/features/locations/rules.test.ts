import { setFormats } from "@/shared/lib/format";
import {
  belowContent,
  fillOf,
  limitsOf,
  mayTakeDefaults,
  noLimits,
  textsOf,
  whyNotCount,
  whyNotRange,
  whyNotWeight,
} from "./rules";
import { aContainerType } from "./testing/builders";

describe("limits as typed", () => {
  it("become numbers and grams, blank ones none", () => {
    const texts = { ...noLimits, max_item_count: " 120 ", max_total_weight: "1.5 kg" };

    expect(limitsOf(texts)).toEqual({
      max_item_count: 120,
      max_total_weight: "1500",
      min_item_weight: null,
      max_item_weight: null,
    });
  });

  it("come back the same from the wire", () => {
    const limits = {
      max_item_count: 8,
      max_total_weight: "1500.0000",
      min_item_weight: null,
      max_item_weight: "2.5000",
    };

    expect(limitsOf(textsOf(limits))).toEqual({
      ...limits,
      max_total_weight: "1500",
      max_item_weight: "2.5",
    });
  });

  it.each(["1.5", "-1", "many", "1,00"])("refuse %s as a count", (text) => {
    expect(whyNotCount(text)).toMatch(/whole number/);
  });

  it("refuse weights that cannot be read, and a range upside down", () => {
    expect(whyNotWeight("heavy")).toMatch(/8 oz/);
    expect(whyNotRange("1 kg", "500 g")).toMatch(/outweigh/);
    expect(whyNotRange("1 oz", "1 lb")).toBeNull();
    expect(whyNotRange("", "1 lb")).toBeNull();
  });
});

describe("belowContent", () => {
  const content = { item_count: 120, stored_weight: "300.0000", unknown_weight_count: 0 };

  it("tells by how much a limit falls below what is there", () => {
    expect(belowContent({ ...noLimits, max_item_count: "100" }, content)).toEqual([
      "It holds 120 pieces, 20 more than this limit.",
    ]);
    expect(belowContent({ ...noLimits, max_total_weight: "0.2 kg" }, content)).toEqual([
      "It holds 300 g, more than this limit.",
    ]);
  });

  it("counts a single piece as one, and weighs as the person wants it", () => {
    const single = { item_count: 1, stored_weight: "56.6991", unknown_weight_count: 0 };
    expect(belowContent({ ...noLimits, max_item_count: "0" }, single)).toEqual([
      "It holds 1 piece, 1 more than this limit.",
    ]);
    setFormats({ units: "oz" });
    expect(belowContent({ ...noLimits, max_total_weight: "1 oz" }, single)).toEqual([
      "It holds 2 oz, more than this limit.",
    ]);
    setFormats(null);
  });

  it("says nothing of limits that hold or cannot be read", () => {
    expect(belowContent({ ...noLimits, max_item_count: "120" }, content)).toEqual([]);
    expect(belowContent({ ...noLimits, max_item_count: "x" }, content)).toEqual([]);
  });
});

describe("fillOf", () => {
  it.each([
    [0, 10, "open"],
    [8, 10, "open"],
    [9, 10, "nearlyFull"],
    [10, 10, "full"],
    [11, 10, "over"],
    [0, 0, "full"],
    [1, 0, "over"],
    [5, null, "open"],
  ] as const)("calls %s of %s %s", (used, limit, state) => {
    expect(fillOf(used, limit).state).toBe(state);
  });
});

describe("mayTakeDefaults", () => {
  const type = aContainerType({ max_item_count: 100 });

  it("fills in what is blank or what another type filled in", () => {
    expect(mayTakeDefaults(noLimits, undefined)).toBe(true);
    expect(mayTakeDefaults({ ...noLimits, max_item_count: "100" }, type)).toBe(true);
  });

  it("leaves alone what a person typed", () => {
    expect(mayTakeDefaults({ ...noLimits, max_item_count: "90" }, type)).toBe(false);
  });
});
