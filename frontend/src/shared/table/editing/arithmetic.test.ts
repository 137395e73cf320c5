import { isFormula, worked } from "./arithmetic";

describe("worked", () => {
  it.each([
    ["=*1.1", "0.1", "0.11"],
    ["=*1.1", "0.0345", "0.038"], // 0.03795, rounded half up
    ["=+5", "2", "7"],
    ["=-5", "2", "-3"],
    ["=-10%", "0.2", "0.18"],
    ["=+10%", "100", "110"],
    ["=*50%", "8", "4"],
    ["=/3", "1", "0.3333"],
    ["=round 0.05", "0.12", "0.1"],
    ["=round 0.05", "0.125", "0.15"],
    ["=up 0.05", "0.11", "0.15"],
    ["=down 0.05", "0.14", "0.1"],
    ["=*1.1 round 0.05", "0.5", "0.55"],
    ["=0.5", "9", "0.5"],
    ["=0,5*3", "9", "1.5"],
    [" = * 2 ", "1,25", "2.5"],
    ["=×2", "3", "6"],
  ])("makes with %s of %s the number %s", (formula, value, result) => {
    expect(worked(formula, value)).toEqual({ text: result });
  });

  it("rounds to the places that the column has", () => {
    expect(worked("=*1.5", "3", 0)).toEqual({ text: "5" });
    expect(worked("=*1.1", "3", 0)).toEqual({ text: "3" });
  });

  it("never shows the errors of binary fractions", () => {
    expect(worked("=+0.2", "0.1")).toEqual({ text: "0.3" });
    expect(worked("=*1.005", "100", 2)).toEqual({ text: "100.5" });
  });

  it.each([
    ["=", "1"],
    ["=abc", "1"],
    ["=*", "1"],
    ["=*1.1 what", "1"],
    ["=/0", "1"],
    ["=round 0", "1"],
    ["=*2", ""],
    ["=*2", "many"],
  ])("tells why %s of '%s' cannot be worked out", (formula, value) => {
    expect(worked(formula, value)).toEqual({ reason: expect.stringMatching(/\.$/) });
  });
});

describe("isFormula", () => {
  it("is what begins with an equals sign", () => {
    expect(["=*2", "  =5", "5", "a=b"].map(isFormula)).toEqual([true, true, false, false]);
  });
});
