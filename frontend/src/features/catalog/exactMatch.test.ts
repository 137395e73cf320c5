import { exactMatch } from "./exactMatch";
import { makeItem } from "./testing/builders";

const brick = makeItem({ id: 1, item_number: "3001", item_name: "Brick 2 x 4" });
const printed = makeItem({ id: 2, item_number: "3001pb01", item_name: "Brick 2 x 4 with Print" });
const set = makeItem({
  id: 3,
  item_number: "10255-1",
  item_name: "Assembly Square",
  item_type: "SET",
});

describe("an exact match", () => {
  it.each([
    ["3001", brick],
    [" 3001PB01 ", printed],
    ["brick  2 x 4", brick],
    ["10255", set],
    ["10255-1", set],
  ])("of %s is the item of that number or name", (typed, item) => {
    expect(exactMatch(typed, [printed, brick, set])).toBe(item);
  });

  it.each(["", "300", "brick", "3001-1"])("is not there for “%s”", (typed) => {
    expect(exactMatch(typed, [printed, brick, set])).toBeNull();
  });

  it("is none where several items answer to it", () => {
    const book = makeItem({ id: 4, item_type: "BOOK" });
    expect(exactMatch("3001", [brick, book])).toBeNull();
  });
});
