// The import rules (style 6.3) catch planted violations; `npm run depcruise` holds them on our source.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

type Report = {
  summary: { totalCruised: number; violations: { rule: { name: string }; from: string }[] };
  modules: { source: string; dependencies: { resolved: string }[] }[];
};

const config = path.join(__dirname, ".dependency-cruiser.cjs");
const bin = path.join(__dirname, "../node_modules/.bin/depcruise");

function cruise(folder: string): Report {
  const input = ["--config", config, "--output-type", "json", "--no-cache", "src"];
  // It ends with the number of violations; the report is on stdout either way.
  try {
    const text = execFileSync(bin, input, { cwd: folder, encoding: "utf8", maxBuffer: 1e8 });
    return JSON.parse(text) as Report;
  } catch (thrown) {
    return JSON.parse((thrown as { stdout: string }).stdout) as Report;
  }
}

const featureOf = (file: string) => /^src\/features\/([^/]+)\//.exec(file)?.[1];

/** The features that reach themselves by way of others, which a check by file does not see. */
function inCircles({ modules }: Report): string[] {
  const used = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = featureOf(source);
    if (!from || /\.test\.tsx?$|\/testing\//.test(source)) continue;
    const others = used.get(from) ?? new Set();
    for (const { resolved } of dependencies) {
      const to = featureOf(resolved);
      if (to && to !== from) others.add(to);
    }
    used.set(from, others);
  }
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of used.get(from) ?? []) if (!seen.has(next)) reached(next, seen.add(next));
    return seen;
  };
  return [...used.keys()].filter((feature) => reached(feature).has(feature)).toSorted();
}

it("no features reach each other in a circle", () => {
  expect(inCircles(cruise(__dirname))).toEqual([]);
}, 120_000);

describe("a planted violation", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "boundaries-"));
    symlinkSync(path.join(__dirname, "../node_modules"), path.join(folder, "node_modules"));
    writeFileSync(path.join(folder, "tsconfig.json"), "{}");
    const plant = (file: string, text: string) => {
      const target = path.join(folder, "src", file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    };
    const leaf = "export const leaf = 1;\n";
    plant("shared/ui/Leaf.ts", leaf);
    plant("shared/api/leaf.ts", leaf);
    plant("shared/store/leaf.ts", leaf);
    plant("app/leaf.ts", leaf);
    plant("features/batches/public.ts", 'export { leaf } from "./inner";\n');
    plant("features/batches/inner.ts", leaf);
    plant("shared/lib/libDraws.ts", 'import "../ui/Leaf";\n');
    plant("shared/ui/UiCalls.ts", 'import "../api/leaf";\n');
    plant("shared/table/tableStores.ts", 'import "../store/leaf";\n');
    plant("shared/form/leaf.ts", leaf);
    plant("shared/table/tableForms.ts", 'import "../form/leaf";\n');
    plant("shared/api/apiDraws.ts", 'import "../ui/Leaf";\n');
    plant("shared/testing/reachesUp.ts", 'import "../../app/leaf";\n');
    plant("features/stow/reachesUp.ts", 'import "../../app/leaf";\n');
    plant("features/stow/pries.ts", 'import "../batches/inner";\n');
    plant("features/stow/asks.ts", 'import "../batches/public";\n');
    plant("features/stow/testing/pries.ts", 'import "../../batches/inner";\n');
    plant("features/stow/testing/builds.ts", 'import "../../batches/testing/leaf";\n');
    plant("features/batches/testing/leaf.ts", leaf);
    plant("features/orders/public.ts", 'import "../sets/public";\n');
    plant("features/sets/public.ts", 'export { leaf } from "./inner";\n');
    plant("features/sets/inner.ts", leaf);
    plant("features/sets/asks.ts", 'import "../orders/public";\n');
    plant("app/pries.ts", 'import "../features/batches/inner";\n');
    plant("shared/lib/one.ts", 'import "./other";\nexport const one = 1;\n');
    plant("shared/lib/other.ts", 'import "./one";\nexport const other = 1;\n');
    plant("shared/lib/lost.ts", 'import "./nowhere";\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("is caught by each rule, and what is allowed is not", () => {
    const { violations } = cruise(folder).summary;

    const found = violations.map(({ rule, from }) => `${rule.name}: ${from.replace("src/", "")}`);
    expect(found.toSorted()).toEqual([
      "api-and-store-know-only-lib: shared/api/apiDraws.ts",
      "app-uses-features-at-public: app/pries.ts",
      "features-below-app: features/stow/reachesUp.ts",
      "features-meet-at-public: features/stow/pries.ts",
      "form-and-table-are-siblings: shared/table/tableForms.ts",
      "form-and-table-know-ui-and-lib: shared/table/tableStores.ts",
      "lib-stands-alone: shared/lib/libDraws.ts",
      "no-cycles: shared/lib/one.ts",
      "nothing-unresolved: shared/lib/lost.ts",
      "shared-below-features: shared/testing/reachesUp.ts",
      "tests-meet-at-public-or-testing: features/stow/testing/pries.ts",
      "ui-knows-only-lib: shared/ui/UiCalls.ts",
    ]);
  }, 60_000);

  it("is a circle of features, too, though no files are in one", () => {
    expect(inCircles(cruise(folder))).toEqual(["orders", "sets"]);
  }, 60_000);
});
