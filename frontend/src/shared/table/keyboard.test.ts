import { nextPosition } from "./keyboard";

const grid = { rows: 100, columns: 4, rowsInView: 10 };
const at = { row: 5, column: 1 };
const press = (key: string, ctrlKey = false, from = at) =>
  nextPosition(from, { key, ctrlKey, metaKey: false }, grid);

describe("nextPosition", () => {
  it.each<[string, boolean, [number, number]]>([
    ["ArrowUp", false, [4, 1]],
    ["ArrowDown", false, [6, 1]],
    ["ArrowLeft", false, [5, 0]],
    ["ArrowRight", false, [5, 2]],
    ["ArrowDown", true, [99, 1]],
    ["ArrowUp", true, [0, 1]],
    ["ArrowRight", true, [5, 3]],
    ["Home", false, [5, 0]],
    ["End", false, [5, 3]],
    ["Home", true, [0, 0]],
    ["End", true, [99, 3]],
    ["PageDown", false, [15, 1]],
    ["PageUp", false, [0, 1]],
  ])("leads by %s (Ctrl %p) to %p", (key, ctrl, [row, column]) => {
    expect(press(key, ctrl)).toEqual({ row, column });
  });

  it("stays inside the grid, the header being row -1", () => {
    expect(press("ArrowUp", false, { row: 0, column: 0 })).toEqual({ row: -1, column: 0 });
    expect(press("ArrowUp", false, { row: -1, column: 0 })).toEqual({ row: -1, column: 0 });
    expect(press("ArrowRight", false, { row: 0, column: 3 })).toEqual({ row: 0, column: 3 });
    expect(press("PageDown", false, { row: 99, column: 3 })).toEqual({ row: 99, column: 3 });
  });

  it("leads nowhere by other keys", () => {
    expect(press("a")).toBeNull();
    expect(press("Enter")).toBeNull();
  });
});
