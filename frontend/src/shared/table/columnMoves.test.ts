import { dropAt } from "./columnMoves";

const heads = [
  { id: "a", left: 0, right: 100 },
  { id: "b", left: 100, right: 200 },
  { id: "c", left: 200, right: 300 },
];

describe("a head that is dragged", () => {
  it.each([
    ["stays until another one's middle is passed", "a", 140, null],
    ["goes behind the one passed", "a", 160, { to: "b", edge: 200 }],
    ["goes behind the last, however far", "a", 900, { to: "c", edge: 300 }],
    ["goes before the first one passed", "c", 40, { to: "a", edge: 0 }],
    ["goes before the next at the left", "c", 140, { to: "b", edge: 100 }],
  ])("%s", (_, id, x, drop) => {
    expect(dropAt(heads, id, x)).toEqual(drop);
  });
});
