/** The schema is the type: outside the client, nothing on the wire is typed by hand. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = join(__dirname, "src");
/** The client itself, which hands the schema's types on. */
const CLIENT = join("shared", "api");

const rules: readonly { says: string; pattern: RegExp }[] = [
  {
    says: "a call takes its types from its path",
    pattern: /\b(?:api\.(?:get|post|put|patch|delete)|request|one|bulkOf|postKept)<[A-Za-z{]/,
  },
  {
    says: "a row of the API is `Schema<…>` or a Pick of it",
    pattern: /^\s+(?:readonly )?(?:createdAt|updatedAt)\??: (?:string|number|null)\b/m,
  },
];

/** What only looks like it: an entry of the station's own session, kept in the browser. */
const OURS = new Set([join("features", "stow", "session.ts")]);

const offences = (text: string): string[] =>
  rules.filter(({ pattern }) => pattern.test(text)).map(({ says }) => says);

const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
  (name) =>
    /\.tsx?$/.test(name) &&
    !/\.test\.tsx?$/.test(name) &&
    !name.includes("testing/") &&
    !name.startsWith(CLIENT) &&
    !OURS.has(name),
);

describe("the types of the wire", () => {
  it("are the schema's in every file", () => {
    const found = files.flatMap((name) =>
      offences(readFileSync(join(SOURCES, name), "utf8")).map((says) => `${name}: ${says}`),
    );

    expect(files.length).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });

  it.each([
    "const batch = one<Batch>(answer);",
    'await api.get<Batch>("batches/{id}", { path: { id } });',
    "export type Batch = {\n  id: number;\n  updatedAt: string;\n};",
  ])("are seen where they are written by hand: %s", (planted) => {
    expect(offences(planted)).toHaveLength(1);
  });
});
