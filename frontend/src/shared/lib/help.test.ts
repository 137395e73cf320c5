import { existsSync } from "node:fs";
import path from "node:path";
import { helpOf, helpPages } from "./help";
import { paths } from "./paths";

const docs = path.join(__dirname, "../../../../docs");

it.each(Object.entries(helpPages))("%s is explained by a page that there is: %s", (_, page) => {
  expect(existsSync(path.join(docs, `${page}.md`))).toBe(true);
});

it("every page of the app is explained", () => {
  const pages = Object.values(paths).filter((one) => one.startsWith("/app/"));

  expect(pages.filter((one) => !(one in helpPages))).toEqual([]);
  expect(helpOf(paths.stow)).toBe("/help/sell/stow/");
  expect(helpOf("/signin")).toBe("/help/");
});
