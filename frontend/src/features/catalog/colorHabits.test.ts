import { meantColor, recentColors, rememberColor } from "./colorHabits";

describe("recentColors", () => {
  it("has each colour once, the newest first, and no more than five", () => {
    for (const id of [1, 2, 3, 4, 5, 6, 3]) rememberColor(id);

    expect(recentColors()).toEqual([3, 6, 5, 4, 2]);
  });

  it("does not keep that something has no colour", () => {
    rememberColor(0);

    expect(recentColors()).toEqual([]);
  });
});

describe("meantColor", () => {
  const part = { item_type: "PART", color_id: 7 } as const;
  const red = { color_id: 5 };
  const none = { color_id: 0 };

  it.each([
    ["the locked colour before the one that was seen", part, [red], 11, 11],
    ["the one that was seen where none is locked", part, [red], null, 7],
    ["the locked colour of a part that has no colours yet", part, [], 11, 11],
    ["no lock for what comes in no colour", { item_type: "SET" } as const, [none], 11, null],
    ["no lock for a set without lots", { item_type: "SET" } as const, [], 11, null],
  ])("is %s", (_, item, lots, locked, meant) => {
    expect(meantColor(item, lots, locked)).toBe(meant);
  });
});
