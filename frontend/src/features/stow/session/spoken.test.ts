import { NO_COLOR } from "@/features/catalog/public";
import { makeItem } from "@/features/catalog/testing/builders";
import { makeAdded, withAdded } from "../testing/builders";
import { emptySession } from "./session";
import { spokenCard, spokenOutcome } from "./spoken";

const red = { ...NO_COLOR, colorId: 5, name: "Red", owned: 34 };
const [row] = withAdded(emptySession, makeAdded({ quantity: 3 }), 0).rows;

describe("spokenCard", () => {
  it.each([
    [{ item: null, color: null, bin: null, reason: "" }, ""],
    [{ item: makeItem(), color: null, bin: null, reason: "" }, "3001, Brick 2 x 4."],
    [
      { item: makeItem(), color: red, bin: { id: 1, name: "A-01" }, reason: "same lot" },
      "3001, Brick 2 x 4, Red, 34 owned. Bin A-01, same lot.",
    ],
    [
      { item: makeItem(), color: { ...red, owned: 0 }, bin: null, reason: "" },
      "3001, Brick 2 x 4, Red. No bin yet.",
    ],
  ])("%#", (card, expected) => {
    expect(spokenCard(card)).toBe(expected);
  });
});

describe("spokenOutcome", () => {
  const problem = { what: "add", code: "X", text: "no", canOverride: false, fits: null } as const;

  it.each([
    ["add", null, "Added 3 3001 Red for A-01."],
    ["stow", null, "3 3001 Red stowed in A-01."],
    ["quantity", null, "3 3001 Red."],
    ["remove", null, "3001 Red taken back."],
    ["bin", null, ""],
    ["add", problem, ""],
  ] as const)("of %s with %j is %j", (did, refused, expected) => {
    if (!row) throw new Error("the row is missing");
    expect(spokenOutcome({ row, did, problem: refused })).toBe(expected);
  });
});
