import { screen } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, page } from "@/shared/testing/server";
import { ItemNotFoundDialog, type NotFoundSearch } from "./ItemNotFoundDialog";
import { makeItem } from "./testing/builders";

beforeEach(() => {
  installServer();
  answer("GET /api/catalogItems", ({ query }) =>
    page(query.get("search") === "300" ? [makeItem()] : []),
  );
});

const show = (search: NotFoundSearch, text = "") => {
  const heard: string[] = [];
  const view = renderPage(
    <ItemNotFoundDialog
      search={search}
      text={text}
      onClose={() => heard.push("close")}
      onSearchBy={(by) => heard.push(by)}
      onPick={(item) => heard.push(item.item_number)}
      onRetype={(next) => heard.push(`type ${next}`)}
      onCustom={() => heard.push("custom")}
    />,
  );
  return { ...view, heard };
};

describe("ItemNotFoundDialog", () => {
  it.each<[NotFoundSearch, string | RegExp]>([
    [
      "image",
      "No match in this picture. Turn the part, use a plain background, or search by number.",
    ],
    ["number", /^No item has this number\. .*moulded into the part/],
    ["name", /^No item has this name\. .*fewer or shorter words/],
    ["webcam", /^The camera sees no match\. Hold it still and closer/],
  ])("has a text for %s", async (search, advice) => {
    show(search);

    const dialog = await screen.findByRole("dialog", { name: "Item not found" });
    expect(dialog).toHaveAccessibleDescription(advice);
  });

  it.each<[NotFoundSearch, [string, string][]]>([
    [
      "image",
      [
        ["Search by number", "number"],
        ["Search by name", "name"],
        ["Use the camera", "image"],
      ],
    ],
    [
      "number",
      [
        ["Search by picture", "image"],
        ["Search by name", "name"],
        ["Use the camera", "image"],
      ],
    ],
  ])("offers the other three ways beside %s", async (search, ways) => {
    const { user, heard } = show(search);

    for (const [name] of ways) await user.click(await screen.findByRole("button", { name }));

    expect(heard).toEqual(ways.map(([, way]) => way));
  });

  it("offers what begins like what was typed", async () => {
    const { user, heard } = show("number", "300zz");

    await user.click(await screen.findByRole("button", { name: /3001/ }));

    expect(heard).toEqual(["3001"]);
  });

  it("says what a picture was recognised as where the catalogue lacks it", async () => {
    show("webcam", "zz99999");

    const dialog = await screen.findByRole("dialog");
    expect(dialog).toHaveAccessibleDescription(/recognised as zz99999, which this catalogue does/);
  });

  it("offers what was not found before, to be searched again", async () => {
    show("number", "98zz").unmount();
    const { user, heard } = show("number", "97zz");

    await user.click(await screen.findByRole("button", { name: "98zz" }));

    expect(heard).toEqual(["type 98zz"]);
    expect(screen.queryByRole("button", { name: "97zz" })).toBeNull();
  });
});
