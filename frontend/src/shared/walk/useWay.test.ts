import { firstOf } from "./useWay";

describe("the stop where a walk is", () => {
  const at = (...putOff: string[]) => firstOf(["A-2", "A-10", "B-1"], putOff, (name) => name);

  it("is the first that was not put off", () => {
    expect([at(), at("A-2"), at("A-10")]).toEqual(["A-2", "A-10", "A-2"]);
  });

  it("comes back to what was put off, in the order of putting off", () => {
    expect(at("B-1", "A-10", "A-2")).toBe("B-1");
  });

  it("is none when all are done", () => {
    expect(firstOf([], ["A-2"], String)).toBeNull();
  });
});
