import { numbersIn, numbersMissed, onOneLine } from "./severalNumbers";
import { makeItem } from "./testing/builders";

describe("numbersIn", () => {
  it.each([
    ["3001, 3004", ["3001", "3004"]],
    ["3001\n3068bpb01;10255-1,", ["3001", "3068BPB01", "10255-1"]],
    ["3001", []],
    ["brick 2 x 4, red", []],
    ["brick, red", []],
  ])("reads %j", (text, numbers) => {
    expect(numbersIn(text)).toEqual(numbers);
  });
});

describe("onOneLine", () => {
  it("puts commas where lines ended", () => {
    expect(onOneLine("3001\r\n3004\n\n10255-1\n")).toBe("3001, 3004, 10255-1");
  });
});

describe("numbersMissed", () => {
  it("names those that no item answers to", () => {
    const items = [makeItem({ asked: "3001" }), makeItem({ asked: "6141" })];

    expect(numbersMissed("3001, 6141, 99999", items)).toEqual(["99999"]);
  });
});
