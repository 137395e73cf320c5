import { stepped } from "./stepped";

describe("stepped", () => {
  it.each([
    [0, 1, 3, 1],
    [2, 1, 3, 0],
    [0, -1, 3, 2],
    [0, -7, 3, 2],
    [0, 1, 0, -1],
  ])("from %d by %d of %d gives %d", (index, steps, length, expected) => {
    expect(stepped(index, steps, length)).toBe(expected);
  });
});
