import { firstSheet, labelFilters, nextStart, whyNotShift, whyNotStart } from "./labels";
import { aLayout } from "./testing/builders";

const layout = aLayout(); // 2 columns, 3 rows

describe("firstSheet", () => {
  it("tells used, printed and free positions with their places and names", () => {
    const spots = firstSheet(layout, 3, 2, ["A-1", "A-2"]);
    expect(spots.map(({ state, name }) => [state, name])).toEqual([
      ["used", ""],
      ["used", ""],
      ["printed", "A-1"],
      ["printed", "A-2"],
      ["free", ""],
      ["free", ""],
    ]);
    expect(spots[3]).toMatchObject({ position: 4, left: 60, top: 40 });
  });
});

describe("nextStart", () => {
  it.each([
    [1, 2, 3],
    [1, 6, 1],
    [5, 2, 1],
    [5, 4, 3],
  ])("from %i with %i labels is %i", (start, count, next) => {
    expect(nextStart(layout, start, count)).toBe(next);
  });
});

describe("labelFilters", () => {
  it("are none for chosen locations", () => {
    expect(labelFilters({ ids: [1], count: 1, params: { search: "a" } })).toEqual({});
  });

  it("are the list's for all of them, without page and order", () => {
    const params = { page: 2, page_size: 25, ordering: "name", search: "A b", fill: "empty" };
    expect(labelFilters({ ids: null, count: 9, params })).toEqual({ search: "A b", fill: "empty" });
  });
});

describe("what cannot be printed", () => {
  it.each(["0", "7", "", "1.5", "x"])("begins at %s", (text) => {
    expect(whyNotStart(text, layout)).toBe("A position of the sheet, 1 to 6.");
  });
  it.each(["21", "-20.5", "x"])("is off by %s mm", (text) => {
    expect(whyNotShift(text)).toBe("At most 20 mm.");
  });
  it.each(["", "-1,5", "20"])("but not by %j", (text) => expect(whyNotShift(text)).toBeNull());
});
