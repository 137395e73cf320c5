import { comesInto, isSameChoice, type SeveralChoice, severalTitle } from "./several";

const plain = { remarks: "B-07;C-01", quantity: 4, locations: ["B-07", "C-01"], quantities: [] };
const counted = {
  remarks: "B-07:1200;C-01:8",
  quantity: 1208,
  locations: ["B-07", "C-01"],
  quantities: [1200, 8],
};
const choice = (
  several_locations: SeveralChoice["several_locations"],
  split_quantities = false,
): SeveralChoice => ({ several_locations, split_quantities });

describe("comesInto", () => {
  it.each([
    [plain, choice("ignore"), ""],
    [plain, choice("first"), "B-07"],
    [plain, choice("whole"), "B-07;C-01"],
    [plain, choice("first", true), "B-07"],
    [counted, choice("first"), "B-07"],
    [counted, choice("ignore", true), "B-07 × 1,200, C-01 × 8"],
  ])("of %j with %j is “%s”", (example, chosen, words) => {
    expect(comesInto(example, chosen)).toBe(words);
  });
});

it("counts the lots", () => {
  expect(severalTitle({ lots: 1 })).toBe("1 lot names several bins in Remarks");
  expect(severalTitle({ lots: 1200 })).toBe("1,200 lots name several bins in Remarks");
});

it("tells choices apart", () => {
  expect(isSameChoice(choice("first"), choice("first"))).toBe(true);
  expect(isSameChoice(choice("first"), choice("whole"))).toBe(false);
  expect(isSameChoice(choice("first"), choice("first", true))).toBe(false);
});
