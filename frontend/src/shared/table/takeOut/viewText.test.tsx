import { setNumberLanguage } from "@/shared/lib/numbers";
import type { Column } from "../column";
import { cellText, csvOf, shownText } from "./viewText";

type Row = { id: number; name: string; qty: number; value: string; condition: string };
const row: Row = { id: 1, name: "Brick", qty: 1200, value: "1,234.50", condition: "U" };
const column = (given: Partial<Column<Row>>): Column<Row> => ({
  id: "x",
  header: "X",
  cell: () => null,
  ...given,
});
const Drawn = () => <b>drawn</b>;

afterEach(() => setNumberLanguage(null));

describe("shownText", () => {
  it.each<[string, Partial<Column<Row>>, string]>([
    ["what the column says of itself", { text: () => "named", cell: () => "drawn" }, "named"],
    ["plain text", { cell: (one) => one.name }, "Brick"],
    ["text inside of what is drawn", { cell: () => <span>{["A", <i key="b">B</i>]}</span> }, "A B"],
    ["nothing that only screen readers hear", { cell: () => <s className="sr-only">no</s> }, ""],
    [
      "the label of what is chosen",
      {
        cell: () => <Drawn />,
        edit: {
          kind: "select",
          options: [{ value: "U", label: "Used" }],
          value: (one) => one.condition,
          parse: () => ({}),
        },
      },
      "Used",
    ],
    ["the row's own value, where nothing else can be told", { id: "name" }, "Brick"],
  ])("is %s", (_, given, expected) => {
    expect(shownText(column(given), row)).toBe(expected);
  });
});

describe("cellText", () => {
  it("gives numbers that are edited as they are edited", () => {
    const edit = {
      kind: "number" as const,
      value: (one: Row) => String(one.qty),
      parse: () => ({}),
    };
    expect(cellText(column({ cell: () => "1,200", edit }), row)).toBe("1200");
  });

  it("takes the commas out of numbers, and out of nothing else", () => {
    expect(cellText(column({ align: "end", cell: (one) => one.value }), row)).toBe("1234.50");
    expect(cellText(column({ cell: () => "1,200 bricks" }), row)).toBe("1,200 bricks");
  });

  it("writes a number plainly, whichever way this person's numbers are shown", () => {
    setNumberLanguage("de");

    expect(cellText(column({ align: "end", cell: () => "1.250" }), row)).toBe("1250");
    expect(cellText(column({ align: "end", cell: () => "−1.250,50" }), row)).toBe("-1250.50");
    expect(cellText(column({ align: "end", cell: () => "0,12" }), row)).toBe("0.12");
  });

  it("leaves empty what shows a dash", () => {
    expect(cellText(column({ cell: () => "–" }), row)).toBe("");
  });
});

describe("csvOf", () => {
  it("writes heads and rows for a spreadsheet, quoted where need be", () => {
    const columns = [column({ header: "Name", cell: () => 'a "b", c' }), column({ header: "Of" })];

    expect(csvOf(columns, [row])).toBe('\uFEFFName,Of\r\n"a ""b"", c",\r\n');
  });

  it.each([
    ["=1+1", "'=1+1"],
    ["@SUM", "'@SUM"],
    ["-2+3", "'-2+3"],
    ["＝1", "'＝1"],
    ["-2.5", "-2.5"],
    ["+3", "+3"],
  ])("makes %s harmless", (text, written) => {
    expect(csvOf([column({ cell: () => text })], [row])).toBe(`\uFEFFX\r\n${written}\r\n`);
  });
});
