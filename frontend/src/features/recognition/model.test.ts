import { isCertain, likelyColor } from "./model";
import { makeCandidate } from "./testing/builders";

const color = (color_id: number | null, score: number) => ({ color_id, name: "Some", score });
const inColors = (...ids: number[]) =>
  ids.map((id) => ({ id, lot_id: id, color_id: id, color_name: "Some", color_html: null }));

describe("isCertain", () => {
  it.each([
    [true, 0.8, true],
    [false, 0.9, false],
    [true, 0.79, false],
  ])("with %s for the item and %d for its colour is %s", (is_certain, sure, expected) => {
    expect(isCertain([makeCandidate({ is_certain, colors: [color(5, sure)] })])).toBe(expected);
  });

  it("asks for no colour where none is told, and for a candidate", () => {
    expect(isCertain([makeCandidate({ colors: [] })])).toBe(true);
    expect(isCertain([])).toBe(false);
  });

  it("is not where another is as certain", () => {
    const other = makeCandidate({ id: 2, item_id: 2, item_number: "3010" });

    expect(isCertain([makeCandidate(), other])).toBe(false);
    expect(isCertain([makeCandidate(), { ...other, piece: 1 }])).toBe(true);
  });

  it("is nothing that the catalogue does not know: it cannot be added", () => {
    const known = makeCandidate({ colors: [] });
    const unknown = makeCandidate({ colors: [], id: null, item_id: null, is_known: false });

    expect(isCertain([unknown, known])).toBe(false);
  });
});

describe("likelyColor", () => {
  it.each([
    ["the likeliest that the item is known in", [color(5, 0.7), color(88, 0.6)], [5, 88], 5],
    ["another that is nearly as likely, if it is known", [color(5, 0.7), color(88, 0.6)], [88], 88],
    ["not one that is far less likely", [color(5, 0.7), color(88, 0.3)], [88], 5],
    ["a certain one, known or not", [color(5, 0.9), color(88, 0.85)], [88], 5],
    ["the first that has a name here", [color(null, 0.9), color(88, 0.5)], [], 88],
    ["none of none", [], [5], null],
  ])("is %s", (_name, colors, lots, expected) => {
    expect(likelyColor(makeCandidate({ colors, lots: inColors(...lots) }))).toBe(expected);
  });
});
