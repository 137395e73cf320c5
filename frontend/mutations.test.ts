/**
 * The `meta` of a failed mutation decides where its error is shown: no handler of its own shows a
 * toast.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = join(__dirname, "src");

/** The text from `start` to the comma or bracket that ends it. */
function expressionAt(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text.charAt(at);
    if ("({[".includes(sign)) depth++;
    if (")}]".includes(sign) && --depth < 0) return text.slice(start, at);
    if (depth === 0 && ",;".includes(sign)) return text.slice(start, at);
  }
  return text.slice(start);
}

/** The handlers of failed mutations in a file that show the failure themselves. */
function tellers(text: string): string[] {
  return [...text.matchAll(/\bonError(?:: ?|(?=[,\s]*\}|,\n))/g)].flatMap((found) => {
    const given = expressionAt(text, found.index + found[0].length).trim() || "onError";
    const named = /^\w+$/.test(given) ? text.search(new RegExp(`\\b${given} = `)) : -1;
    const handler = named < 0 ? given : expressionAt(text, named);
    const line = text.slice(0, found.index).split("\n").length;
    return /\btoast\.error\(|\btellFailure\(/.test(handler) ? [`line ${line}`] : [];
  });
}

const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
  (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name),
);

describe("the failure of a mutation", () => {
  it("is told from its meta, by nobody else", () => {
    const found = files.flatMap((name) =>
      tellers(readFileSync(join(SOURCES, name), "utf8")).map((line) => `${name}, ${line}`),
    );

    expect(files.length).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });

  it.each([
    "save.mutate(body, { onError: (error) => toast.error(problemText(error)) });",
    "save.mutate(body, {\n  onError: (error) => {\n    close();\n    toast.error(text(error));\n  },\n});",
    "useMutation({ mutationFn, onError: (error) => tellFailure(error) });",
    "const tellOther = (error: Error) => toast.error(error.message);\nsave.mutate(1, { onError: tellOther });",
    "const onError = () => toast.error('No');\nsave.mutate(1, { onError });",
  ])("is missed where a handler tells it: %s", (planted) => {
    expect(tellers(planted)).toHaveLength(1);
  });

  it("leaves other handlers alone", () => {
    expect(tellers("save.mutate(1, { onError: close });\ntoast.error('No');")).toEqual([]);
  });
});
