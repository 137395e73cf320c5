// What the bundle is made of and how it is fetched: what the specification fixes of it.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(__dirname, "..");
const config = require("./webpack.config.js")({}, { mode: "production" });
const packages = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

describe("the bundle", () => {
  it("fetches its chunks from the static path, and gives up after 120 seconds", () => {
    expect(config.output.publicPath).toBe("/static/");
    expect(config.output.chunkLoadTimeout).toBe(120_000);
    expect(config.output.path).toBe(path.join(root, "static"));
  });

  it("names every script by its content", () => {
    expect(config.output.filename).toContain("[contenthash");
    expect(config.output.chunkFilename).toContain("[contenthash");
  });

  it.each(["react", "react-router-dom", "@tanstack/react-table", "react-hot-toast"])(
    "is made with %s",
    (name) => expect(packages.dependencies).toHaveProperty([name]),
  );

  it("is built by webpack and tested by jest", () => {
    expect(packages.scripts.build).toMatch(/^webpack /);
    expect(packages.scripts.test).toMatch(/^jest /);
  });

  it("is hosted by one template", () => {
    const hosts = readdirSync(path.join(root, "templates"), { withFileTypes: true });
    expect(hosts.filter((one) => one.isFile()).map(({ name }) => name)).toEqual(["index.html"]);
  });
});
