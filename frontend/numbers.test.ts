/** Typed numbers are read by shared/lib/numbers.ts alone: it knows the person's signs. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = join(__dirname, "src");
const READER = join("shared", "lib", "numbers.ts");
/** Reads a length of CSS. */
const CSS = join("shared", "table", "editing", "CellHint.tsx");

const SIGN = String.raw`(?:"[.,]"|'[.,]'|/(?:\\?[.,]|\[[.,]+\])/g?)`;
const HAND_MADE = new RegExp(
  String.raw`\.replace(?:All)?\(\s*${SIGN},\s*["'][.,]?["']\s*\)|\bparseFloat\(`,
);

const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
  (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && name !== READER && name !== CSS,
);

describe("the signs of a number", () => {
  it("are read in one place", () => {
    const found = files.filter((name) => HAND_MADE.test(readFileSync(join(SOURCES, name), "utf8")));

    expect(files.length).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });

  it.each([
    'Number(text.replace(",", "."))',
    'shown.replaceAll(",", "")',
    "text.replace(/,/g, '.')",
    'text.replace(/[.,]/g, "")',
    "Number.parseFloat(text)",
  ])("are missed where they are read by hand: %s", (planted) => {
    expect(HAND_MADE.test(planted)).toBe(true);
  });

  it("leaves other texts alone", () => {
    expect(HAND_MADE.test('name.replace(/\\.[^.]+$/, "")')).toBe(false);
  });
});
