import type { Column } from "../column";
import {
  copied,
  meaningOf,
  pasteArea,
  plannedClear,
  plannedFillDown,
  plannedPaste,
  plannedSet,
  type Sheet,
} from "./plan";

type Part = { id: number; name: string; qty: number; condition: string; note: string };

const qty: Column<Part> = {
  id: "qty",
  header: "Quantity",
  cell: (row) => row.qty,
  edit: {
    kind: "number",
    places: 0,
    value: (row) => String(row.qty),
    check: (text) => (/^\d+$/.test(text) ? null : "A whole number."),
    parse: (text) => ({ qty: Number(text) }),
  },
};
const condition: Column<Part> = {
  id: "condition",
  header: "Condition",
  cell: (row) => row.condition,
  edit: {
    kind: "select",
    options: [
      { value: "N", label: "New" },
      { value: "U", label: "Used" },
    ],
    value: (row) => row.condition,
    parse: (text) => ({ condition: text }),
  },
};
const note: Column<Part> = {
  id: "note",
  header: "Note",
  cell: (row) => row.note,
  edit: { kind: "text", value: (row) => row.note, parse: (text) => ({ note: text }) },
};
const name: Column<Part> = { id: "name", header: "Name", cell: (row) => row.name };

const parts: Part[] = Array.from({ length: 6 }, (_, index) => ({
  id: index + 1,
  name: `Part ${index + 1}`,
  qty: index + 1,
  condition: "U",
  note: "",
}));
const sheet: Sheet<Part> = {
  columns: [name, qty, condition, note],
  rowCount: 6,
  rowAt: (index) => parts[index],
  idOf: (row) => String(row.id),
};
const area = (top: number, left: number, bottom = top, right = left) => ({
  top,
  bottom,
  left,
  right,
});

describe("meaningOf", () => {
  const part = parts[2] as Part;

  it("finds options by name or value, whatever their case", () => {
    expect(meaningOf(condition, part, "new")).toEqual({ text: "N" });
    expect(meaningOf(condition, part, "u")).toEqual({ text: "U" });
    expect(meaningOf(condition, part, "Old")).toEqual({ reason: "One of New, Used." });
  });

  it("works formulas out for numbers and checks what comes of it", () => {
    expect(meaningOf(qty, part, "=*1.5")).toEqual({ text: "5" });
    expect(meaningOf(qty, part, "=-9")).toEqual({ reason: "A whole number." });
    expect(meaningOf(note, part, "=*2")).toEqual({ text: "=*2" });
  });

  it("says so of a column that is not edited", () => {
    expect(meaningOf(name, part, "x")).toEqual({ reason: "Name is not edited here." });
  });
});

describe("pasteArea", () => {
  it.each([
    ["one value fills the area", [["1"]], area(1, 1, 4, 2), area(1, 1, 4, 2)],
    ["one row goes into each row", [["1", "N"]], area(0, 1, 5, 2), area(0, 1, 5, 2)],
    ["a block is repeated", [["1"], ["2"]], area(0, 1, 3, 1), area(0, 1, 3, 1)],
    [
      "a block that does not fit begins at the corner",
      [["1"], ["2"]],
      area(0, 1, 2, 1),
      area(0, 1, 1, 1),
    ],
    [
      "a block spreads from one cell",
      [
        ["1", "N"],
        ["2", "U"],
      ],
      area(2, 1),
      area(2, 1, 3, 2),
    ],
  ])("%s", (_, cells, into, result) => {
    expect(pasteArea(cells, into)).toEqual(result);
  });
});

describe("plannedPaste", () => {
  it("changes what differs and counts what does not", () => {
    const plan = plannedPaste(
      sheet,
      [
        ["9", "New"],
        ["2", "Used"],
      ],
      area(0, 1),
    );

    expect(plan.good).toEqual([
      { row: "1", column: "qty", before: "1", after: "9" },
      { row: "1", column: "condition", before: "U", after: "N" },
    ]);
    expect(plan).toMatchObject({ bad: [], unchanged: 2 });
  });

  it("names every cell that it cannot, and drops none", () => {
    const cells = [
      ["Part 5", "many", "Used"],
      ["Other", "6", "Old"],
      ["x", "7", "New"],
    ];

    const plan = plannedPaste(sheet, cells, area(4, 0));

    expect(plan.bad).toEqual([
      { row: "5", column: "qty", text: "many", reason: "A whole number." },
      { row: "6", column: "name", text: "Other", reason: "Name is not edited here." },
      { row: "6", column: "condition", text: "Old", reason: "One of New, Used." },
      { row: null, column: "name", text: "x", reason: "No row is here." },
      { row: null, column: "qty", text: "7", reason: "No row is here." },
      { row: null, column: "condition", text: "New", reason: "No row is here." },
    ]);
    expect(plan.good.length + plan.bad.length + plan.unchanged).toBe(9);
  });

  it("says of columns beyond the last that they are not there", () => {
    const plan = plannedPaste(sheet, [["a", "b"]], area(0, 3));

    expect(plan.bad).toEqual([{ row: "1", column: null, text: "b", reason: "No column is here." }]);
  });
});

describe("plannedFillDown", () => {
  it("takes the first row of the area into the others", () => {
    expect(plannedFillDown(sheet, area(0, 1, 2, 1)).good).toEqual([
      { row: "2", column: "qty", before: "2", after: "1" },
      { row: "3", column: "qty", before: "3", after: "1" },
    ]);
  });

  it("takes the row above into a single cell", () => {
    expect(plannedFillDown(sheet, area(3, 1)).good).toEqual([
      { row: "4", column: "qty", before: "4", after: "3" },
    ]);
    expect(plannedFillDown(sheet, area(0, 1))).toEqual({ good: [], bad: [], unchanged: 0 });
  });
});

describe("plannedClear", () => {
  it("empties text, sets numbers to 0 and says what has no empty value", () => {
    const plan = plannedClear(sheet, area(0, 0, 0, 3));

    expect(plan.good).toEqual([{ row: "1", column: "qty", before: "1", after: "0" }]);
    expect(plan.bad.map(({ column }) => column)).toEqual(["condition"]);
    expect(plan.unchanged).toBe(1);
  });
});

describe("plannedSet", () => {
  it("reckons from each row's own number", () => {
    const plan = plannedSet(parts.slice(0, 3), qty, "=*2", sheet.idOf);

    expect(plan.good.map(({ after }) => after)).toEqual(["2", "4", "6"]);
  });
});

describe("copied", () => {
  it("is the text that each column is edited or shown as", () => {
    expect(copied(sheet, area(0, 0, 1, 2))).toEqual([
      ["Part 1", "1", "U"],
      ["Part 2", "2", "U"],
    ]);
  });

  it("is nothing where a row is not loaded", () => {
    expect(copied(sheet, area(5, 0, 6, 0))).toBeNull();
  });
});
