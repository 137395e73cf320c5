import { weighing } from "./weighing";

const line = {
  item_name: "Brick 2 x 4",
  item_number: "3001",
  color_name: "Red",
  piece_grams: "2.5",
  picked: 10,
};
const parcel = { expected: 100, box: 20, weighed: 120, unweighed: 0, lines: [line] };

test.each([
  [{}, "success", "The weight fits: 0 g off."],
  [{ weighed: 121.5 }, "success", "The weight fits: 1.5 g off."],
  [
    { weighed: 115 },
    "warning",
    "5 g too light: are pieces missing? That is the weight of 2 × Brick 2 x 4 Red.",
  ],
  [{ weighed: 60 }, "warning", "60 g too light: are pieces missing?"],
  [{ weighed: 130 }, "warning", "10 g too heavy: too many pieces?"],
  [
    { weighed: 130, box: 0 },
    "warning",
    "30 g too heavy: too many pieces? If it is the packaging, enter its weight.",
  ],
  [
    { weighed: 130, unweighed: 4 },
    "info",
    "10 g more than the pieces whose weight is known. 4 pieces have no known weight.",
  ],
  [{ expected: null }, "info", "None of its pieces has a known weight to compare with."],
])("a parcel with %j", (changes, tone, text) => {
  expect(weighing({ ...parcel, ...changes })).toEqual({ tone, text });
});
