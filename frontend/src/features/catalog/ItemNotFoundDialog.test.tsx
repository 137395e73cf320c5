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
    />,
  );
  return { ...view, heard };
};

describe("ItemNotFoundDialog", () => {
  it.each<[NotFoundSearch, string, RegExp, string]>([
    ["image", "No match in this picture", /Turn the part, use a plain background/, "number"],
    ["number", "No item has this number", /moulded into the part/, "name"],
    ["name", "No item has this name", /fewer or shorter words/, "number"],
    ["webcam", "The camera sees no match", /Hold it still and closer/, "number"],
  ])("has a text and a next step for %s", async (search, title, advice, next) => {
    const { user, heard } = show(search);

    const dialog = await screen.findByRole("dialog", { name: title });
    expect(dialog).toHaveAccessibleDescription(advice);
    await user.click(screen.getByRole("button", { name: `Search by ${next}` }));

    expect(heard).toEqual([next]);
  });

  it("offers what begins like what was typed", async () => {
    const { user, heard } = show("number", "300zz");

    await user.click(await screen.findByRole("button", { name: /3001/ }));

    expect(heard).toEqual(["3001"]);
  });
});
