import { abcOf } from "./abc";

const curve = [
  { rows: 0, value: "0.0000" },
  { rows: 1, value: "80.0000" },
  { rows: 2, value: "90.0000" },
  { rows: 4, value: "100.0000" },
];

describe("the classes of the curve", () => {
  it("are 80, 15 and 5 % of the value, with as many rows as they need", () => {
    expect(abcOf(curve)).toEqual([
      { name: "A", rows: 1, value: 80 },
      { name: "B", rows: 2, value: 15 },
      { name: "C", rows: 1, value: 5 },
    ]);
  });

  it("are one where one row is worth everything", () => {
    const one = [curve[0], { rows: 1, value: "5.0000" }] as typeof curve;

    expect(abcOf(one).map(({ rows }) => rows)).toEqual([1, 0, 0]);
  });

  it("are none where nothing is worth anything", () => {
    expect(abcOf([])).toEqual([]);
    expect(
      abcOf([
        { rows: 0, value: "0" },
        { rows: 3, value: "0.0000" },
      ]),
    ).toEqual([]);
  });
});
