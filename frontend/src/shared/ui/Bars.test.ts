import { shares } from "./Bars";

describe("shares", () => {
  it("are lengths against the longest", () => {
    expect(shares([5, 10, 0])).toEqual([0.5, 1, 0]);
  });

  it("are nothing where all is nothing", () => {
    expect(shares([0, 0])).toEqual([0, 0]);
    expect(shares([])).toEqual([]);
  });
});
