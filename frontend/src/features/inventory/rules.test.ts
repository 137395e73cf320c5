import { differing } from "./LotForm";
import type { Movement } from "./model";
import { movementWords, whyNotMove } from "./rules";

const movement: Movement = {
  id: 1,
  delta: 4,
  reason: "edit",
  by_name: "Ann",
  program: "",
  from_location_id: null,
  from_location_name: null,
  to_location_id: null,
  to_location_name: null,
  reverses_id: null,
  note: "",
  cause_kind: "person",
  cause_id: null,
  balance: 4,
  createdAt: "2026-01-02T03:04:05Z",
};

describe("movementWords", () => {
  it.each([
    [{ reason: "stow", to_location_name: "A-01" }, "Stowed from a batch, in A-01"],
    [
      { reason: "remove", from_location_name: "A-01" },
      "Taken out, back into its batch, out of A-01",
    ],
    [
      { reason: "move", from_location_name: "A-01", to_location_name: "B-07" },
      "Moved from A-01 to B-07",
    ],
    [{ reason: "move", to_location_name: "B-07" }, "Moved from no bin to B-07"],
    [{ reason: "edit" }, "Corrected"],
  ] as const)("of %o is %s", (values, words) => {
    expect(movementWords({ ...movement, ...values })).toBe(words);
  });
});

describe("whyNotMove", () => {
  it.each([
    ["1", null],
    ["34", null],
    ["0", "A whole number, 1 or more."],
    ["1.5", "A whole number, 1 or more."],
    ["35", "There are only 34 here."],
  ])("of %s out of 34 is %s", (text, reason) => {
    expect(whyNotMove(text, { quantity: 34 })).toBe(reason);
  });
});

describe("differing", () => {
  it("gives only what changed", () => {
    expect(differing({ quantity: 3, price: "1" }, { quantity: 4, price: "1" })).toEqual({
      quantity: 4,
    });
  });
});
