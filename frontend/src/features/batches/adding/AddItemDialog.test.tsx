import { screen, waitFor, within } from "@testing-library/react";
import { makeItem, makeLot } from "@/features/catalog/testing/builders";
import { aConnection } from "@/features/marketplace/testing/builders";
import { clientStore } from "@/shared/store/clientStore";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { BatchesPage } from "../BatchesPage";
import { aBatch, anItem } from "../testing/builders";

const ADD = "POST /api/batchItems";
const colors = [
  { id: 7, name: "Blue", color_html: "#0055BF", part_count: 9 },
  { id: 5, name: "Red", color_html: "#C91A09", part_count: 9 },
  { id: 11, name: "Black", color_html: "#05131D", part_count: 9 },
];
const brick = makeItem({ id: 3001, item_number: "3001", item_name: "Brick 2 x 4" });
const lots = [
  makeLot({ id: 61, color_id: 7, color_name: "Blue", suggested_price: "0.1500" }),
  makeLot({ id: 62, color_id: 5, color_name: "Red", suggested_price: "0.1200" }),
];
const last_added = {
  batchId: 12,
  batchName: "Flea market",
  totalItemsAdded: 4,
  quantity: 4,
  itemName: "Brick 2 x 4",
  itemNumber: "3001",
  itemType: "PART",
  colorName: "Red",
  timestamp: "2026-01-02T03:04:05Z",
};
const bin = {
  id: 31,
  name: "A-01",
  recommended: true,
  qty_on_hand: 0,
  reason: "The same lot lies there",
  available_item_count: null,
};

beforeEach(() => {
  giveElementsASize();
  installServer();
  clientStore.clear("options.batchFilter");
  clientStore.clear("options.lockedColorId");
  answer("GET /api/sources", () => page([]));
  answer("GET /api/colors", () => page(colors));
  answer("GET /api/marketplaceConnection", () => ok([aConnection()]));
  answer("GET /api/preferences", () => ok([{ currency: "EUR" }]));
  answer("GET /api/batches/12", () => ok([aBatch()]));
  answer("GET /api/batches/12/activity", () => ok([{ active_seconds: 0 }]));
  answer("GET /api/batchItems", () => page([]));
  answer("GET /api/catalogItems", () => page([brick]));
  answer("GET /api/catalogLots", () => page(lots));
  answer("GET /api/locations", () => page([]));
  answer("GET /api/inventoryItems/destinations", () => ok([bin]));
  answer(ADD, () => ok([{ ...anItem({ id: 102, qty: 4 }), last_added }]));
});

async function opened() {
  const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
  await user.click(await screen.findByRole("button", { name: "More" }));
  await user.click(await screen.findByRole("menuitem", { name: "Add item" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Add item" }));
  const field = (name: string) => dialog.getByLabelText(name, { exact: false });
  await dialog.findByLabelText("Item", { exact: false });
  return { user, dialog, field };
}

/** Types the number and takes the first hit; then the colour, or the quantity, has the focus. */
async function chooseItem({ user, field }: Awaited<ReturnType<typeof opened>>, text = "3001") {
  await user.type(field("Item"), text);
  await screen.findByRole("option", { name: /Brick 2 x 4|Fire/ });
  await user.keyboard("{Enter}");
}

describe("the dialog that adds items", () => {
  it("adds by keyboard alone, and stays open for the next one", async () => {
    const at = await opened();
    const { user, dialog, field } = at;
    await chooseItem(at);
    await waitFor(() => expect(field("Colour")).toHaveFocus());
    await user.keyboard("re");
    await screen.findByRole("option", { name: "Red" });
    await user.keyboard("{Enter}");
    expect(field("Price per piece")).toHaveValue("0.12");
    await user.type(field("Quantity"), "4", { initialSelectionStart: 0, initialSelectionEnd: 1 });
    await user.keyboard("{Enter}");

    await waitFor(() =>
      expect(sent(ADD)[0]?.body).toEqual({
        batch_id: 12,
        lot_id: 62,
        qty: 4,
        condition: "U",
        price: "0.12",
      }),
    );
    expect(await dialog.findByText("Added 4 × 3001 Red; 1 so far")).toBeInTheDocument();
    expect(field("Item")).toHaveValue("");
    expect(field("Item")).toHaveFocus();
    expect(field("Colour")).toHaveValue("");
    expect(field("Quantity")).toHaveValue("1");
  });

  it("plans the bin that is recommended once it is taken", async () => {
    const at = await opened();
    await chooseItem(at, "3001 red");
    await waitFor(() => expect(at.field("Colour")).toHaveFocus());
    await at.user.keyboard("red");
    await screen.findByRole("option", { name: "Red" });
    await at.user.keyboard("{Enter}");

    await at.user.click(await at.dialog.findByRole("button", { name: /Plan A-01/ }));
    expect(at.field("Planned bin")).toHaveValue("A-01");
    await at.user.click(at.dialog.getByRole("button", { name: "Add" }));

    await waitFor(() =>
      expect(sent(ADD)[0]?.body).toMatchObject({ user_inventory_item_location_id: 31 }),
    );
  });

  it("goes past the colour that the search named", async () => {
    answer("GET /api/catalogItems", () => page([{ ...brick, color_id: 5 }]));
    const at = await opened();
    await chooseItem(at, "3001 red");

    await waitFor(() => expect(at.field("Quantity")).toHaveFocus());
    expect(at.field("Colour")).toHaveValue("Red");
    await at.user.keyboard("{Enter}");

    await waitFor(() => expect(sent(ADD)[0]?.body).toMatchObject({ lot_id: 62, qty: 1 }));
  });

  it("takes the colour that is named as typed before one that is likelier", async () => {
    answer("GET /api/catalogLots", () =>
      page([...lots, makeLot({ id: 63, color_id: 59, color_name: "Dark Red" })]),
    );
    answer("GET /api/colors", () =>
      page([...colors, { id: 59, name: "Dark Red", color_html: null, part_count: 99 }]),
    );
    const at = await opened();
    await chooseItem(at);
    await waitFor(() => expect(at.field("Colour")).toHaveFocus());
    await at.user.keyboard("red");
    await screen.findByRole("option", { name: "Dark Red" });
    await at.user.keyboard("{Enter}");

    expect(at.field("Colour")).toHaveValue("Red");
  });

  it("asks no colour of what has none", async () => {
    answer("GET /api/catalogItems", () =>
      page([{ ...brick, item_type: "SET", item_number: "6024-1", item_name: "Fire" }]),
    );
    answer("GET /api/catalogLots", () => page([]));
    const at = await opened();
    await chooseItem(at, "6024");
    await waitFor(() => expect(at.field("Quantity")).toHaveFocus());
    await at.user.keyboard("{Enter}");

    await waitFor(() =>
      expect(sent(ADD)[0]?.body).toMatchObject({
        item_type: "SET",
        item_number: "6024-1",
        color_id: 0,
      }),
    );
  });

  it("adds in a colour that the catalogue does not know it in, and says so", async () => {
    const at = await opened();
    await chooseItem(at);
    await waitFor(() => expect(at.field("Colour")).toHaveFocus());
    await at.user.keyboard("black");
    await at.user.click(await screen.findByRole("option", { name: /Black/ }));

    expect(at.dialog.getByText("It is not in the catalogue in this colour.")).toBeInTheDocument();
    await at.user.click(at.dialog.getByRole("button", { name: "Add" }));
    await waitFor(() =>
      expect(sent(ADD)[0]?.body).toMatchObject({ item_number: "3001", color_id: 11 }),
    );
  });

  it("says what is wrong with a number while it is typed, before it is sent", async () => {
    const { user, dialog, field } = await opened();

    await user.clear(field("Quantity"));
    await user.type(field("Quantity"), "0");
    await user.type(field("Price per piece"), "two");

    expect(await dialog.findByText("A whole number, 1 or more.")).toBeInTheDocument();
    expect(
      await dialog.findByText("An amount such as 0.12, up to four places."),
    ).toBeInTheDocument();
    expect(dialog.queryByText("Choose an item from the list.")).not.toBeInTheDocument();
  });

  it("says what is missing and sends nothing", async () => {
    const { user, dialog, field } = await opened();
    await user.clear(field("Quantity"));
    await user.type(field("Quantity"), "0");
    await user.type(field("Price per piece"), "cheap{Enter}");

    expect(dialog.getByText("Choose an item from the list.")).toBeInTheDocument();
    expect(dialog.getByText("A whole number, 1 or more.")).toBeInTheDocument();
    expect(dialog.getByText("An amount such as 0.12, up to four places.")).toBeInTheDocument();
    expect(sent(ADD)).toHaveLength(0);
  });

  it("plans no location that was only typed", async () => {
    answer("GET /api/catalogItems", () => page([{ ...brick, color_id: 5 }]));
    answer("GET /api/locations", () => page([]));
    const at = await opened();
    await chooseItem(at);
    await waitFor(() => expect(at.field("Quantity")).toHaveFocus());
    await at.user.type(at.field("Planned bin"), "Z");
    await at.user.click(at.dialog.getByRole("button", { name: "Add" }));

    expect(
      at.dialog.getByText("Choose a bin from the list, or leave it empty."),
    ).toBeInTheDocument();
    expect(sent(ADD)).toHaveLength(0);
  });

  it("keeps what was typed when it is refused", async () => {
    answer("GET /api/catalogItems", () => page([{ ...brick, color_id: 5 }]));
    answer(ADD, () => refusal(409, "CONFLICT", "The batch is archived."));
    const at = await opened();
    await chooseItem(at);
    await waitFor(() => expect(at.field("Quantity")).toHaveFocus());
    await at.user.keyboard("{Enter}");

    expect(await at.dialog.findByText("The batch is archived.")).toBeInTheDocument();
    expect(at.field("Item")).toHaveValue("3001 Brick 2 x 4");
  });

  describe("while an add is under way", () => {
    const other = makeItem({ id: 3010, item_number: "3010", item_name: "Brick 1 x 4" });

    /** Enter adds, and its answer waits. */
    async function adding() {
      answer("GET /api/catalogItems", ({ query }) =>
        page([{ ...(query.get("search")?.startsWith("3010") ? other : brick), color_id: 5 }]),
      );
      let answerIt = (_: Response) => undefined as unknown;
      answer(ADD, () => new Promise<Response>((done) => (answerIt = done)));
      const at = await opened();
      await chooseItem(at);
      await waitFor(() => expect(at.field("Quantity")).toHaveFocus());
      await at.user.keyboard("4{Enter}");
      await waitFor(() => expect(sent(ADD)).toHaveLength(1));
      return { ...at, answerIt: (response: Response) => answerIt(response) };
    }

    it("takes what is typed for the next item, and keeps it", async () => {
      const { user, dialog, field, answerIt } = await adding();

      await user.keyboard("3010");
      answerIt(ok([{ ...anItem({ id: 102, qty: 4 }), last_added }]));

      expect(await dialog.findByText("Added 4 × 3001 Red; 1 so far")).toBeInTheDocument();
      expect(field("Item")).toHaveValue("3010");
      expect(field("Item")).toHaveFocus();
      expect(field("Quantity")).toHaveValue("1");
      expect(dialog.queryByText("Choose an item from the list.")).toBeNull();
    });

    it("keeps the next item, its quantity too, and names the one that is refused", async () => {
      const { user, dialog, field, answerIt } = await adding();

      await user.keyboard("3010");
      await user.click(await screen.findByRole("option", { name: /Brick 1 x 4/ }));
      await waitFor(() => expect(field("Quantity")).toHaveFocus());
      await user.keyboard("4");
      answerIt(refusal(409, "CONFLICT", "The batch is archived."));

      expect(
        await dialog.findByText("3001 Brick 2 x 4 was not added. The batch is archived."),
      ).toBeInTheDocument();
      expect(field("Item")).toHaveValue("3010 Brick 1 x 4");
      expect(field("Quantity")).toHaveValue("4");
      expect(field("Quantity")).toHaveFocus();
    });
  });

  it("takes back what was added", async () => {
    answer("GET /api/catalogItems", () => page([{ ...brick, color_id: 5 }]));
    const bulk = "POST /api/batchItems/bulk";
    answer(bulk, () => ok([{ action: "delete", index: 0, ok: true, id: 102 }]));
    const at = await opened();
    await chooseItem(at);
    await waitFor(() => expect(at.field("Quantity")).toHaveFocus());
    await at.user.keyboard("{Enter}");
    await at.user.click(await at.dialog.findByRole("button", { name: "Take 3001 Red back" }));

    await waitFor(() => expect(sent(bulk)[0]?.body).toMatchObject({ delete: [102] }));
    await waitFor(() => expect(at.dialog.queryByRole("list", { name: "Added" })).toBeNull());
  });
});
