import { readCells, writeCells } from "./clipboard";

describe("readCells", () => {
  it.each<[string, string, string[][]]>([
    ["one value", "5", [["5"]]],
    ["nothing", "", [[""]]],
    ["a row", "a\tb\t", [["a", "b", ""]]],
    [
      "a block with its last line ended",
      "1\t2\r\n3\t4\r\n",
      [
        ["1", "2"],
        ["3", "4"],
      ],
    ],
    ["an empty line between", "1\n\n3", [["1"], [""], ["3"]]],
    ["quotes around lines and tabs", '"a\nb"\t"c\td"', [["a\nb", "c\td"]]],
    ["doubled quotes", '"2"" wide"\tx', [['2" wide', "x"]]],
    ["an empty quoted cell", '""\tx', [["", "x"]]],
    ["a quote that is none", '2" x 4"\tb', [['2" x 4"', "b"]]],
    ["a quote that is not closed", '"abc\tb', [['"abc', "b"]]],
    ["old line ends", "1\r2", [["1"], ["2"]]],
  ])("takes %s", (_, text, cells) => {
    expect(readCells(text)).toEqual(cells);
  });
});

describe("writeCells", () => {
  it("is read back as it was", () => {
    const cells = [
      ["3001", 'Brick 2" x 4"', "a\tb"],
      ['"quoted"', "two\nlines", ""],
    ];

    expect(readCells(writeCells(cells))).toEqual(cells);
  });

  it("quotes only what needs it", () => {
    expect(writeCells([["0.12", "x\ty", 'say "so"']])).toBe('0.12\t"x\ty"\tsay "so"');
  });
});
