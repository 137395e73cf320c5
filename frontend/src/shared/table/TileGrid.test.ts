import { tilesIn } from "./TileGrid";

describe("tiles", () => {
  it.each([
    [348, 2],
    [1376, 8],
    [2496, 14],
  ])("in %i px stand %i beside each other, none wider than twice the least", (width, columns) => {
    expect(tilesIn(width).columns).toBe(columns);
    expect(tilesIn(width).height).toBeLessThan(72 + 2 * 156 * 0.75);
  });
});
