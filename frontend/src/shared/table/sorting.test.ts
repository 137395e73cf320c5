import { nextSorts } from "./sorting";

const up = (field: string) => ({ field, direction: "asc" }) as const;
const down = (field: string) => ({ field, direction: "desc" }) as const;

describe("the order after a click on a head", () => {
  it.each([
    ["begins ascending", [], [up("a")]],
    ["turns to descending", [up("a")], [down("a")]],
    ["ends", [down("a")], []],
    ["leaves other columns behind", [up("b"), up("a")], [down("a")]],
  ])("%s", (_, before, after) => {
    expect(nextSorts(before, "a", false)).toEqual(after);
  });

  it("begins with the largest where a column says so", () => {
    expect(nextSorts([], "a", false, "desc")).toEqual([down("a")]);
    expect(nextSorts([down("a")], "a", false, "desc")).toEqual([up("a")]);
    expect(nextSorts([up("a")], "a", false, "desc")).toEqual([]);
  });

  it.each([
    ["comes last", [up("b")], [up("b"), up("a")]],
    ["turns where it stands", [up("a"), up("b")], [down("a"), up("b")]],
    ["is taken out alone", [down("a"), up("b")], [up("b")]],
  ])("with Shift %s", (_, before, after) => {
    expect(nextSorts(before, "a", true)).toEqual(after);
  });
});
