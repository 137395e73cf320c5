import { colorWords } from "./colorNames";

describe("colorWords", () => {
  it("says nothing of what comes in no colour", () => {
    expect([colorWords("(Not Applicable)"), colorWords(""), colorWords(null)]).toEqual([
      "",
      "",
      "",
    ]);
    expect(colorWords("Dark Red")).toBe("Dark Red");
  });
});
