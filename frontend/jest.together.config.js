/**
 * All tests, many files in one world: they share the page and the modules, which cost more to load
 * than most tests. `jest.config.js` runs a file alone.
 */
const { readdirSync, readFileSync } = require("node:fs");
const path = require("node:path");
const alone = require("./jest.config.js");

const [logic, drawn] = alone.projects;
const files = readdirSync(__dirname, { recursive: true })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => /\.test\.tsx?$/.test(name));
// These say why.
const apart = files.filter((name) =>
  readFileSync(path.join(__dirname, name), "utf8").includes("@apart"),
);
const kindOf = (name) => (name.endsWith("x") ? drawn : logic);
const left = new Set(files.filter((name) => !apart.includes(name)));

/** A world of the files that no world before it has. */
function world(displayName, kind, pattern) {
  const own = [...left].filter((name) => pattern.test(name)).sort();
  for (const name of own) left.delete(name);
  const testMatch = ["<rootDir>/src/app/testing/together.ts"];
  return { ...kind, displayName, testMatch, globals: { TESTS: own } };
}

/** @type {import('jest').Config} */
module.exports = {
  ...alone,
  projects: [
    world("station", drawn, /features\/stow\/.*\.tsx$/),
    world("stock", drawn, /features\/(batches|inventory|locations|orders)\/.*\.tsx$/),
    world("other pages", drawn, /features\/.*\.tsx$/),
    world("shared parts", drawn, /\.tsx$/),
    world("logic", logic, /./),
    ...apart.map((name) => ({
      ...kindOf(name),
      displayName: "apart",
      testMatch: [`<rootDir>/${name}`],
    })),
  ],
};
