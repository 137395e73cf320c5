import { likelyColor } from "./model";
import { makeCandidate } from "./testing/builders";

const color = (color_id: number | null, score: number) => ({ color_id, name: "Some", score });
const inColors = (...ids: number[]) =>
  ids.map((id) => ({ id, lot_id: id, color_id: id, color_name: "Some", color_html: null }));

describe("likelyColor", () => {
  it.each([
    ["the likeliest that the item is known in", [color(5, 0.7), color(88, 0.6)], [5, 88], 5],
    ["another that is nearly as likely, if it is known", [color(5, 0.7), color(88, 0.6)], [88], 88],
    ["not one that is far less likely", [color(5, 0.7), color(88, 0.3)], [88], 5],
    ["a sure one, known or not", [color(5, 0.9), color(88, 0.85)], [88], 5],
    ["the first that has a name here", [color(null, 0.9), color(88, 0.5)], [], 88],
    ["none of none", [], [5], null],
  ])("is %s", (_name, colors, lots, expected) => {
    expect(likelyColor(makeCandidate({ colors, lots: inColors(...lots) }))).toBe(expected);
  });
});
