import { heatMap } from "./heat";
import type { MapCell } from "./model";
import { cellFill, cellText, groupsOf, layoutOf, linesOf, neighbour, shelvesOf } from "./shelfMap";

let id = 0;
function aCell(name: string, values: Partial<MapCell> = {}): MapCell {
  return {
    id: ++id,
    name,
    item_count: 0,
    max_item_count: null,
    stored_weight: "0.0000",
    unknown_weight_count: 0,
    max_total_weight: null,
    min_item_weight: null,
    max_item_weight: null,
    is_full: false,
    inventory_container_type_name: null,
    exclude_from_recommendations: false,
    total_value: "0.0000",
    lots_without_price: 0,
    ...values,
  };
}
const cells = (...names: string[]) => names.map((name) => aCell(name));
const drawn = (names: string[]) =>
  shelvesOf(cells(...names)).map(({ title, rows }) => [
    title,
    rows.map(({ label, cells: row }) => `${label}: ${row.map(({ name }) => name).join(" ")}`),
  ]);

describe("shelvesOf", () => {
  it("puts cabinets apart, rows under each other, and what has no parts with the others", () => {
    expect(drawn(["A-1-01", "A-1-02", "A-2-01", "B-07", "B-08", "Kitchen", "Ü-1-1"])).toEqual([
      ["A", ["1: A-1-01 A-1-02", "2: A-2-01"]],
      ["", ["B: B-07 B-08"]],
      ["Others", [": Kitchen"]],
      ["Ü", ["1: Ü-1-1"]],
    ]);
  });

  it("calls a shelf by its name as it is written", () => {
    expect(drawn(["Cellar, left: box 3-07"]).map(([title]) => title)).toEqual([
      "Cellar, left: box",
    ]);
  });

  it("puts numbers without signs behind their prefix", () => {
    expect(drawn(["A1", "A2", "B-1", "Z12", "Kitchen"])).toEqual([
      ["", ["A: A1 A2", "B: B-1", "Z: Z12"]],
      ["Others", [": Kitchen"]],
    ]);
  });

  it("puts plain numbers, and a prefix with many, in rows of ten", () => {
    expect(drawn(["0001", "0010", "0011", "0361"])).toEqual([
      ["Numbers", ["0001: 0001 0010", "0011: 0011", "0361: 0361"]],
    ]);
    const many = Array.from({ length: 31 }, (_, at) => `Z${at + 1}`);
    const [shelf] = shelvesOf(cells(...many));
    expect([shelf?.title, shelf?.rows.map(({ label }) => label)]).toEqual([
      "Z",
      ["1", "11", "21", "31"],
    ]);
  });

  it("reads blanks, dots and slashes as marks between parts", () => {
    expect(drawn(["Wall 3/2", "Wall 3.4"])).toEqual([["Wall", ["3: Wall 3/2 Wall 3.4"]]]);
  });
});

describe("layoutOf", () => {
  const shelf = shelvesOf(cells(...Array.from({ length: 12 }, (_, at) => `A-1-${at + 10}`)));

  it("puts a row of twelve into one line of a phone", () => {
    expect(layoutOf(shelf, 300)).toEqual({ perLine: 12, cell: 25 });
  });

  it("breaks what does not fit into lines of one length", () => {
    expect(layoutOf(shelf, 200)).toEqual({ perLine: 6, cell: 33 });
  });

  it("uses the width there is, up to what can be taken in", () => {
    expect(layoutOf(shelf, 1200).cell).toBe(100);
    expect(layoutOf(shelf, 2400).cell).toBe(180);
  });

  it("leaves room for long names", () => {
    expect(layoutOf(shelvesOf(cells("kitchen", "attic")), 300)).toEqual({ perLine: 2, cell: 150 });
    expect(layoutOf(shelvesOf(cells("kitchen", "attic")), 100)).toEqual({ perLine: 1, cell: 100 });
  });
});

describe("linesOf", () => {
  it("breaks rows that are wider than the frame, and names the row once", () => {
    expect(linesOf(shelvesOf(cells("A-1-1", "A-1-2", "A-1-3")), 2)).toEqual([
      { kind: "title", title: "A" },
      { kind: "cells", label: "1", cells: [expect.anything(), expect.anything()] },
      { kind: "cells", label: "", cells: [expect.anything()] },
    ]);
  });
});

describe("cellText", () => {
  it.each([
    ["A-1-07", "07"],
    ["Kitchen", "Kitchen"],
    ["B 12", "12"],
    ["Z12", "12"],
    ["0361", "0361"],
  ])("of %s is %s", (name, text) => expect(cellText(name)).toBe(text));
});

describe("cellFill", () => {
  it.each<[string, Partial<MapCell>, string, number | null]>([
    ["nothing in it", {}, "empty", null],
    ["no limit", { item_count: 3 }, "some", null],
    ["half full", { item_count: 5, max_item_count: 10 }, "some", 0.5],
    ["nine tenths", { item_count: 9, max_item_count: 10 }, "nearlyFull", 0.9],
    ["all places taken", { item_count: 10, max_item_count: 10 }, "full", 1],
    ["marked full", { item_count: 1, max_item_count: 10, is_full: true }, "full", 0.1],
    ["one too many", { item_count: 11, max_item_count: 10 }, "over", 1.1],
    [
      "light in count, heavy in weight",
      { item_count: 1, max_item_count: 10, stored_weight: "95", max_total_weight: "100" },
      "nearlyFull",
      0.95,
    ],
    ["empty though nothing may go in", { max_item_count: 0 }, "empty", 1],
  ])("of %s", (_, values, state, share) => {
    expect(cellFill(aCell("A", values))).toEqual({ state, share });
  });
});

describe("neighbour", () => {
  const lines = linesOf(shelvesOf(cells("A-1-1", "A-1-2", "A-1-3", "A-2-1", "B-1-1")), 10);
  // 0 title A, 1 three cells, 2 one cell, 3 title B, 4 one cell

  it.each([
    ["ArrowRight", { line: 1, cell: 0 }, { line: 1, cell: 1 }],
    ["ArrowRight", { line: 1, cell: 2 }, { line: 2, cell: 0 }],
    ["ArrowRight", { line: 4, cell: 0 }, { line: 4, cell: 0 }],
    ["ArrowLeft", { line: 2, cell: 0 }, { line: 1, cell: 2 }],
    ["ArrowLeft", { line: 1, cell: 0 }, { line: 1, cell: 0 }],
    ["ArrowDown", { line: 1, cell: 2 }, { line: 2, cell: 0 }],
    ["ArrowDown", { line: 2, cell: 0 }, { line: 4, cell: 0 }],
    ["ArrowUp", { line: 4, cell: 0 }, { line: 2, cell: 0 }],
    ["Home", { line: 4, cell: 0 }, { line: 1, cell: 0 }],
    ["End", { line: 1, cell: 1 }, { line: 4, cell: 0 }],
    ["PageDown", { line: 1, cell: 1 }, { line: 4, cell: 0 }],
    ["PageUp", { line: 4, cell: 0 }, { line: 1, cell: 0 }],
  ])("of %s at %j is %j", (key, at, next) => expect(neighbour(lines, at, key)).toEqual(next));

  it("stays where there are no cells", () => {
    expect(neighbour([], { line: 0, cell: 0 }, "ArrowDown")).toEqual({ line: 0, cell: 0 });
  });
});

describe("groupsOf", () => {
  it("offers all, each shelf and each row of one, by what they hold", () => {
    const groups = groupsOf(shelvesOf(cells("A-1-01", "A-1-02", "A-2-01", "B-1-01", "S-01")));

    expect(groups.map(({ name, cells: { length } }) => [name, length])).toEqual([
      ["All", 5],
      ["A", 3],
      ["A-1-01 to A-1-02", 2],
      ["A-2-01", 1],
      ["B", 1],
      ["B-1-01", 1],
      ["Shelves", 1],
      ["S-01", 1],
    ]);
    expect(new Set(groups.map(({ key }) => key)).size).toBe(groups.length);
  });
});

describe("heatMap", () => {
  const steps = (values: Partial<MapCell>[], heat: Parameters<typeof heatMap>[1]) => {
    const drawn = values.map((one, at) => aCell(`A-${at}`, one));
    const { stepOf, legend } = heatMap(drawn, heat);
    return [
      drawn.map(stepOf),
      legend.map(({ step, words, count }) => `${step} ${words}: ${count}`),
    ];
  };

  it("puts about as many bins into each step, however much the largest hold", () => {
    const pieces = [0, 1, 2, 3, 4, 5, 6, 7, 80, 900, 10_000];
    expect(
      steps(
        pieces.map((item_count) => ({ item_count })),
        "pieces",
      ),
    ).toEqual([
      [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
      [
        "0 none: 1",
        "1 1 to 2: 2",
        "2 3 to 4: 2",
        "3 5 to 6: 2",
        "4 7 to 80: 2",
        "5 900 to 10,000: 2",
      ],
    ]);
  });

  it("has equal values in one step, the largest of them in the last", () => {
    const values = ["2.0000", "2.0000", "7.5000"].map((total_value) => ({ total_value }));
    expect(steps(values, "value")).toEqual([
      [4, 4, 5],
      ["4 2.00: 2", "5 7.50: 1"],
    ]);
  });

  it("has bins whose lots have no price apart, neither as none nor in a step", () => {
    const values = ["0.0000", null, "7.5000"].map((total_value) => ({ total_value }));
    expect(steps(values, "value")).toEqual([
      [0, "unknown", 5],
      ["unknown unknown: 1", "0 none: 1", "5 7.50: 1"],
    ]);
  });

  it("is made of fifths of the room that is free; a full bin has none", () => {
    const bins = [
      { item_count: 10, max_item_count: 10 },
      { item_count: 1, is_full: true },
      { item_count: 9, max_item_count: 10 },
      { item_count: 5, max_item_count: 10 },
      { item_count: 700 },
    ];
    expect(steps(bins, "room")).toEqual([
      [0, 0, 1, 3, 5],
      ["0 none: 2", "1 0 to 20 %: 1", "3 40 to 60 %: 1", "5 80 to 100 %, or no limit: 1"],
    ]);
  });
});
