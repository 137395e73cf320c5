import { matchesColor, narrowColors, rankColors } from "./colorRanking";
import { makeLot } from "./testing/builders";

const red = makeLot({ id: 1, color_id: 5, color_name: "Red" });
const black = makeLot({ id: 2, color_id: 11, color_name: "Black" });
const tan = makeLot({ id: 3, color_id: 2, color_name: "Tan" });
const pink = makeLot({ id: 4, color_id: 23, color_name: "Pink", is_known: false });
const commonness = new Map([
  [5, 700],
  [11, 900],
  [2, 300],
  [23, 999],
]);
const nothing = { owned: new Map(), recentColorIds: [], commonness };
const names = (options: ReturnType<typeof rankColors>) => options.map(({ name }) => name);

describe("rankColors", () => {
  it("puts the commonest known colour first and unseen ones last", () => {
    expect(names(rankColors([pink, tan, red, black], nothing))).toEqual([
      "Black",
      "Red",
      "Tan",
      "Pink",
    ]);
  });

  it("puts what is owned before what is common, most pieces first", () => {
    const owned = new Map([
      [3, 4],
      [4, 12],
    ]);

    const ranked = rankColors([red, black, tan, pink], { ...nothing, owned });

    expect(ranked.map(({ name, owned: pieces }) => [name, pieces])).toEqual([
      ["Pink", 12],
      ["Tan", 4],
      ["Black", 0],
      ["Red", 0],
    ]);
  });

  it("puts the colours used last before what is owned, newest first", () => {
    const context = { ...nothing, owned: new Map([[1, 9]]), recentColorIds: [2, 11] };

    expect(names(rankColors([black, red, tan], context))).toEqual(["Tan", "Black", "Red"]);
  });

  it("does not prefer a colour used last that the item is not known in", () => {
    const context = { ...nothing, recentColorIds: [23] };

    expect(names(rankColors([pink, tan, red, black], context)).at(-1)).toBe("Pink");
  });

  it("puts the colour that was typed before everything", () => {
    const context = { ...nothing, recentColorIds: [5], namedColorId: 2 };

    expect(names(rankColors([black, tan, red], context))).toEqual(["Tan", "Red", "Black"]);
  });

  it("falls back to the name where nothing else tells them apart", () => {
    const context = { ...nothing, commonness: new Map() };

    expect(names(rankColors([tan, red, black], context))).toEqual(["Black", "Red", "Tan"]);
  });
});

describe("narrowColors", () => {
  const solid = { color_type: "Solid", is_trans: false };
  const colors = [
    { id: 0, name: "(Not Applicable)", color_html: null, part_count: 1, ...solid },
    { id: 5, name: "Red", color_html: "#C91A09", part_count: 1, ...solid },
    { id: 59, name: "Dark Red", color_html: "#720E0F", part_count: 1, ...solid },
  ];
  const options = rankColors([black, red], nothing);

  it("keeps all options, and only them, while nothing is typed", () => {
    expect(names(narrowColors(options, colors, " "))).toEqual(["Black", "Red"]);
  });

  it("adds fitting colours that the item has not been seen in, marked so", () => {
    const [known, other] = narrowColors(options, colors, "red");

    expect(known).toMatchObject({ lotId: 1, name: "Red", isKnown: true });
    expect(other).toMatchObject({ lotId: null, colorId: 59, name: "Dark Red", isKnown: false });
  });

  it("puts the name that begins so before those that only hold the word", () => {
    const dark = makeLot({ id: 8, color_id: 63, color_name: "Dark Blue" });
    const violet = makeLot({ id: 9, color_id: 64, color_name: "Blue-Violet" });
    const blue = makeLot({ id: 10, color_id: 7, color_name: "Blue" });
    const owned = rankColors([dark, violet, blue], { ...nothing, owned: new Map([[8, 900]]) });

    expect(names(narrowColors(owned, [], "blu"))).toEqual(["Blue", "Blue-Violet", "Dark Blue"]);
    expect(names(narrowColors(owned, [], "blue"))[0]).toBe("Blue");
  });

  it("never offers the colour of things without one", () => {
    expect(narrowColors(options, colors, "(not")).toEqual([]);
  });
});

describe("matchesColor", () => {
  it.each([
    ["Dark Bluish Gray", "d b g", true],
    ["Dark Bluish Gray", "dark g", true],
    ["Dark Bluish Gray", "DBG", true],
    ["Light Bluish Gray", "dbg", false],
    ["Dark Bluish Gray", "g d", false],
    ["Trans-Light Blue", "light", true],
    ["Trans-Light Blue", "trans-l", true],
    ["Red", "", true],
    ["Red", "reddish", false],
  ])("%s and %j: %s", (name, typed, expected) => {
    expect(matchesColor(name, typed)).toBe(expected);
  });
});
