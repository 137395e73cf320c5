/** No query fails silently: its error is shown in place of its data, or in a notice. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = join(__dirname, "src");
/** Where the notice itself is made. */
const NOTICE = join("shared", "ui", "sideQuery.ts");

const QUERY = /(?:const (\{[^}]*\}|\w+) =\s*)?\buse(?:Infinite)?Query\(/g;

/** The queries of a file whose error nothing reads. */
function silent(text: string): string[] {
  return [...text.matchAll(QUERY)].flatMap((found) => {
    const [call, name] = found;
    const before = text.slice(0, found.index);
    const line = `line ${before.split("\n").length}`;
    if (!name) return /(?:return|\[|,)\s*$/.test(before) ? [] : [line];
    if (name.startsWith("{")) return /\b(?:error|isError)\b/.test(name) ? [] : [line];
    const after = text.slice(found.index + call.length);
    const drawn = [
      `${name}\\.(?:error|isError)\\b`,
      `(?:query|list|headQuery)=\\{${name}\\}`, // LoadProblem and PagedDrawer draw it
      `useTellMissing\\(${name},`,
      `\\{[^}]*\\b(?:error|isError)\\b[^}]*\\} = ${name};`,
      `return ${name};`, // its caller draws it
      `\\n\\s+${name},\\n`,
      `return \\{[^}]*\\b${name} \\};`,
      `\\[[\\w, ]*\\b${name}\\b[\\w, ]*\\]\\.find\\(\\(query\\) => query\\.isError\\)`,
      `\\? ${name} : \\w+;`, // one of two: its error is read under the new name
      `: ${name};`,
    ];
    return drawn.some((pattern) => new RegExp(pattern).test(after)) ? [] : [line];
  });
}

const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
  (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && name !== NOTICE,
);

describe("the error of a query", () => {
  it("is read in every file", () => {
    const found = files.flatMap((name) =>
      silent(readFileSync(join(SOURCES, name), "utf8")).map((line) => `${name}, ${line}`),
    );

    expect(files.length).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });

  it.each([
    "const { data } = useQuery(orders());",
    "const { data: rule } = useQuery({ ...rules(), enabled });",
    "const types = useQuery(containerTypes()).data ?? [];",
    "const lots = useQuery(lotsOf(id));\nreturn lots.data;",
  ])("is missed where nothing reads it: %s", (planted) => {
    expect(silent(planted)).toHaveLength(1);
  });
});

describe("the query client", () => {
  const madeIn = (call: RegExp) =>
    readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .filter((name) => call.test(readFileSync(join(SOURCES, name), "utf8")));

  it("is made by one recipe, in tests too", () => {
    expect(madeIn(/\b(?:new|extends) QueryClient\b/)).toEqual([
      join("shared", "api", "queryClient.ts"),
    ]);
    expect(madeIn(/(?<!function )\bcreateQueryClient\(/)).toEqual([
      join("shared", "query", "newQueryClient.ts"),
    ]);
  });
});
