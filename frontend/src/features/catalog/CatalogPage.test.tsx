import { screen, waitFor, within } from "@testing-library/react";
import { makeCandidate } from "@/features/recognition/testing/builders";
import { clientStore, reloadClientState } from "@/shared/store/clientStore";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { aConnection, aPriceRule } from "../marketplace/testing/builders";
import { CatalogPage } from "./CatalogPage";
import { makeItem, makeLot } from "./testing/builders";

const brick = makeItem({ id: 1 });
const set = makeItem({
  id: 2,
  item_number: "10255-1",
  item_name: "Assembly Square",
  item_type: "SET",
});
const red = makeLot({
  id: 10,
  reference_price: "0.1200",
  reference_basis: "sold",
  suggested_price: "0.1200",
  suggested_basis: "sold",
  used_global_avg_sold_price: "0.1150",
  bricklinkSyncedAt: "2026-01-30T00:00:00Z",
});
const black = makeLot({ id: 11, color_id: 11, color_name: "Black", color_html: "#05131D" });
const batch = {
  id: 7,
  name: "Attic finds",
  is_archived: false,
  batch_item_item_count: 40,
  batch_item_lot_count: 9,
  createdAt: "2026-01-30T10:00:00Z",
};
const lastAdded = {
  batchId: 7,
  batchName: "Attic finds",
  totalItemsAdded: 43,
  quantity: 3,
  itemName: "Brick 2 x 4",
  itemNumber: "3001",
  itemType: "PART",
  colorName: "Red",
  colorHtml: "#C91A09",
  timestamp: "2026-01-31T19:00:00Z",
};

beforeEach(() => {
  installServer();
  reloadClientState();
  answer("GET /api/catalogItems", ({ query }) => {
    const text = (query.get("number") ?? query.get("search") ?? "").toLowerCase();
    const found = [brick, set].filter(({ item_number, item_name }) =>
      `${item_number} ${item_name}`.toLowerCase().includes(text),
    );
    return page(found);
  });
  for (const item of [brick, set]) {
    answer(`GET /api/catalogItems/${item.id}`, () =>
      ok([
        {
          ...item,
          is_minifigure_item: false,
          is_retired: false,
          year_released: 1958,
          dimensions: "2 x 4",
          external_sites: [{ name: "BrickLink", url: "https://bricklink.example/3001" }],
        },
      ]),
    );
  }
  answer("GET /api/catalogLots", ({ query }) =>
    page(query.get("item") === "1" ? [black, red] : []),
  );
  answer("GET /api/colors", () => page([]));
  answer("GET /api/priceRule", () => ok([aPriceRule()]));
  answer("GET /api/marketplaceConnection", () => ok([aConnection()]));
  answer("GET /api/inventoryItems/destinations", () => page([]));
  for (const item of [brick, set]) {
    answer(`GET /api/catalogItems/${item.id}/appearsIn`, () => page([]));
    answer(`GET /api/catalogItems/${item.id}/contents`, () => page([]));
  }
  answer("GET /api/preferences", () => ok([{ currency: "EUR" }]));
  answer("GET /api/inventoryItems/owned", () =>
    ok([
      {
        item_id: 5,
        lot_id: 10,
        location_id: 1,
        location_name: "A-01",
        condition: "U",
        quantity: 34,
      },
      {
        item_id: 6,
        lot_id: 10,
        location_id: 2,
        location_name: "B-07",
        condition: "N",
        quantity: 2,
      },
    ]),
  );
  answer("GET /api/batches", () => page([batch]));
  answer("GET /api/batches/7", () => ok([batch]));
});

const results = () => screen.findByRole("region", { name: "Results" });
const colour = (name: string) => screen.findByRole("radio", { name });

describe("the catalogue", () => {
  it("finds by number as one types, with one request, and keeps the search in the address", async () => {
    clientStore.set("itemBeingProcessed.searchType", "number");
    const { user, router } = renderPage(<CatalogPage />, { at: "/app/catalog" });

    await user.type(screen.getByRole("searchbox", { name: "Item number" }), "300");
    const found = await within(await results()).findByRole("link", { name: /3001/ });

    expect(found).toHaveTextContent("Brick 2 x 4");
    expect(within(found).getByText("Part")).toBeVisible();
    const typed = sent("GET /api/catalogItems").filter(({ query }) => !query.has("item_type"));
    expect(typed).toHaveLength(1);
    expect(router.state.location.search).toBe("?search=300");
  });

  it("opens the first one when Enter comes before the results", async () => {
    clientStore.set("itemBeingProcessed.searchType", "number");
    const { user, router } = renderPage(<CatalogPage />, { at: "/app/catalog" });

    await user.type(screen.getByRole("searchbox", { name: "Item number" }), "3001{Enter}");

    expect(await screen.findByRole("list", { name: "Colours" })).toBeVisible();
    expect(router.state.location.search).toMatch(/item=PART%3A3001/);
  });

  it("opens the one exact match by itself, and leaves what was typed to be changed", async () => {
    const { user, router } = renderPage(<CatalogPage />, { at: "/app/catalog" });

    await user.type(screen.getByRole("searchbox"), "3001");

    expect(await screen.findByRole("heading", { name: "3001" })).toBeVisible();
    // The batch that it is added to may be there already.
    expect(router.state.location.search).toMatch(/^\?search=3001&item=PART%3A3001(&|$)/);
    expect(screen.getByRole("searchbox")).toHaveFocus();
    // Back to the results is not overruled.
    await user.click(screen.getByRole("button", { name: "Back to the results" }));
    await waitFor(() => expect(router.state.location.search).toBe("?search=3001"));
  });

  it("does not open what matches in part only", async () => {
    const { user, router } = renderPage(<CatalogPage />, { at: "/app/catalog" });

    await user.type(screen.getByRole("searchbox"), "300");
    await within(await results()).findByRole("link", { name: /3001/ });

    expect(router.state.location.search).toBe("?search=300");
  });

  it("starts the camera only when it is asked for", async () => {
    const ask = jest.fn(() => Promise.reject(new DOMException("No camera", "NotFoundError")));
    Object.defineProperty(navigator, "mediaDevices", {
      configurable: true,
      value: { getUserMedia: ask },
    });
    clientStore.set("itemBeingProcessed.searchType", "image");
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog" });
    const start = await screen.findByRole("button", { name: "Camera on" });
    expect(ask).not.toHaveBeenCalled();

    await user.click(start);

    expect(await screen.findByText("No camera was found")).toBeVisible();
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it("is searched on three tabs", async () => {
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog" });
    const tabs = screen.getAllByRole("tab");
    expect(tabs.map((tab) => tab.textContent)).toEqual(["Image", "Number", "Name"]);

    await user.click(screen.getByRole("tab", { name: "Number" }));

    expect(screen.getByRole("tabpanel", { name: "Number" })).toContainElement(
      screen.getByRole("searchbox", { name: "Item number" }),
    );
  });

  it("opens an item from its name to its colours, what is owned first", async () => {
    clientStore.set("itemBeingProcessed.searchType", "name");
    const { user, router } = renderPage(<CatalogPage />, { at: "/app/catalog" });

    await user.type(screen.getByRole("searchbox", { name: "Item name" }), "Brick 2 x");
    await user.click(await within(await results()).findByRole("link", { name: /3001/ }));

    const list = await screen.findByRole("list", { name: "Colours" });
    const tiles = within(list).getAllByRole("listitem");
    await waitFor(() => expect(tiles[0]).toHaveTextContent("Red36 in A-01, B-07"));
    expect(tiles[0]).toHaveTextContent("€0.12");
    expect(new URLSearchParams(router.state.location.search).get("item")).toBe("PART:3001");
    expect(screen.getByRole("link", { name: /BrickLink/ })).toHaveAttribute(
      "href",
      "https://bricklink.example/3001",
    );
  });

  it("has its act six stops at most from where the skip link leads", async () => {
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog?item=PART:3001&batch=7" });
    const add = await screen.findByRole("button", { name: "Add to batch" });

    (add.closest("[data-content]") as HTMLElement).focus();
    let stops = 0;
    for (; document.activeElement !== add && stops < 20; stops++) await user.tab();

    expect(stops).toBeLessThanOrEqual(6);
  });

  it("opens what the address names, and adds a colour of it to the batch", async () => {
    answer("POST /api/batchItems", () => ok([{ id: 3, last_added: lastAdded }]));
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog?item=PART:3001&batch=7" });

    await user.click(await colour("Red"));
    const quantity = screen.getByRole("textbox", { name: "Quantity" });
    await user.clear(quantity);
    await user.type(quantity, "3");
    await waitFor(() => expect(screen.getByRole("button", { name: /Attic finds/ })).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Add to batch" }));

    expect(await screen.findByText("3 × 3001 Red added to Attic finds")).toBeVisible();
    expect(sent("POST /api/batchItems")[0]?.body).toEqual({
      batch_id: 7,
      lot_id: 10,
      qty: 3,
      condition: "U",
      price: "0.12",
    });
    expect(clientStore.get("lastBatchItemAdded")).toMatchObject({
      totalItemsAdded: 43,
      color: "Red",
    });
  });

  it("takes an add back from its toast", async () => {
    answer("POST /api/batchItems", () => ok([{ id: 3, last_added: lastAdded }]));
    answer("DELETE /api/batchItems/3", () => ok([]));
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog?item=PART:3001&batch=7" });
    await user.click(await colour("Red"));
    await user.click(screen.getByRole("button", { name: "Add to batch" }));

    await user.click(await screen.findByRole("button", { name: "Undo" }));

    expect(await screen.findByText("Undone")).toBeVisible();
    expect(sent("DELETE /api/batchItems/3")).toHaveLength(1);
  });

  it("adds what has no colour without one", async () => {
    answer("POST /api/batchItems", () => ok([{ id: 3, last_added: lastAdded }]));
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog?item=SET:10255-1&batch=7" });
    await screen.findByText("No colours are known for it");
    await waitFor(() => expect(screen.getByRole("button", { name: /Attic finds/ })).toBeVisible());

    await user.click(screen.getByRole("button", { name: "Add to batch" }));

    await waitFor(() => expect(sent("POST /api/batchItems")).toHaveLength(1));
    expect(sent("POST /api/batchItems")[0]?.body).toMatchObject({
      item_type: "SET",
      item_number: "10255-1",
      color_id: 0,
    });
  });

  it("asks for the colour of a part of which the catalogue knows none", async () => {
    answer("GET /api/catalogLots", () => page([]));
    answer("GET /api/colors", () =>
      page([{ id: 5, name: "Red", color_html: "#C91A09", part_count: 9 }]),
    );
    answer("POST /api/batchItems", () => ok([{ id: 3, last_added: lastAdded }]));
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog?item=PART:3001&batch=7" });
    const add = await screen.findByRole("button", { name: "Add to batch" });
    await user.click(add);
    expect(sent("POST /api/batchItems")).toHaveLength(0);

    await user.type(await screen.findByRole("combobox", { name: /^Colour/ }), "re");
    await user.click(await screen.findByRole("option", { name: "Red" }));
    await user.click(screen.getByRole("button", { name: "Add to batch" }));

    await waitFor(() => expect(sent("POST /api/batchItems")).toHaveLength(1));
    expect(sent("POST /api/batchItems")[0]?.body).toMatchObject({
      item_number: "3001",
      color_id: 5,
    });
  });

  it("says why it cannot add yet, and what the server refused", async () => {
    answer("POST /api/batchItems", () => refusal(400, "VALIDATION_ERROR", "price: too much"));
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog?item=PART:3001&batch=7" });
    const add = await screen.findByRole("button", { name: "Add to batch" });
    await colour("Red");
    await user.click(add);
    const before = sent("POST /api/batchItems").length;

    await user.click(await colour("Red"));
    await user.click(screen.getByRole("button", { name: "Add to batch" }));

    expect(before).toBe(0);
    expect(await screen.findByText("Price: too much")).toBeVisible();
  });

  it.each([
    ["number", "zzz999", /No item has this number/],
    ["name", "qqqqqq", /No item has this name/],
    ["image", "qqqqqq", /No item has this name/],
  ] as const)("has a dialog for a %s that nothing has", async (way, text, advice) => {
    clientStore.set("itemBeingProcessed.searchType", way);
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog" });
    const box = screen.getByRole("searchbox");
    await user.type(box, `${text}{Enter}`);

    const dialog = await screen.findByRole("dialog", { name: `Item not found: “${text}”` });
    expect(dialog).toHaveAccessibleDescription(advice);
  });

  const upload = async (user: ReturnType<typeof renderPage>["user"]) =>
    user.upload(
      await screen.findByLabelText("Picture of an item"),
      new File(["a picture"], "part.jpg", { type: "image/jpeg" }),
    );

  it("opens what a picture shows", async () => {
    const candidates = [makeCandidate(), makeCandidate({ id: null, item_number: "zz9" })];
    answer("POST /api/recognition/identify", () => ok(candidates));
    clientStore.set("itemBeingProcessed.searchType", "image");
    const { user, router } = renderPage(<CatalogPage />, { at: "/app/catalog" });

    await upload(user);
    const seen = await screen.findByRole("list", { name: "Seen on the picture" });
    expect(seen).toHaveTextContent("3001PPartBrick 2 x 4Brickby BrickstowScore 95 %");
    expect(seen).toHaveTextContent("not in your catalogue");
    await user.click(within(seen).getByRole("button", { name: /3001/ }));

    expect(new URLSearchParams(router.state.location.search).get("item")).toBe("PART:3001");
  });

  it("looks first among the parts of the set that the batch came from", async () => {
    answer("GET /api/batches/7/knownParts", () => ok([{ sets: ["10255-1"], item_ids: [1, 2] }]));
    answer("POST /api/recognition/identify", () => ok([makeCandidate()]));
    clientStore.set("itemBeingProcessed.searchType", "image");
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog?batch=7" });
    await waitFor(() => expect(sent("GET /api/batches/7/knownParts")).toHaveLength(1));

    await upload(user);
    await screen.findByText("Among the 2 parts of 10255-1");
    await user.click(screen.getByRole("button", { name: "Look at all parts" }));
    await screen.findByText("Among all parts");

    const asked = sent("POST /api/recognition/identify").map(({ body }) => body as FormData);
    expect(asked.map((form) => form.getAll("item_ids"))).toEqual([["1", "2"], []]);
  });

  it("says what else to try when a picture shows nothing", async () => {
    answer("POST /api/recognition/identify", () => ok([]));
    clientStore.set("itemBeingProcessed.searchType", "image");
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog" });

    await upload(user);
    const dialog = await screen.findByRole("dialog", { name: "Item not found" });
    await user.click(within(dialog).getByRole("button", { name: "Search by number" }));

    await waitFor(() =>
      expect(screen.getByRole("searchbox", { name: "Item number" })).toHaveFocus(),
    );
  });

  it("goes from the field to the results and along them with the arrow keys", async () => {
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog?search=s" });
    await within(await results()).findByRole("link", { name: /10255-1/ });

    await user.click(screen.getByRole("searchbox"));
    await user.keyboard("{ArrowDown}");

    expect(screen.getByRole("link", { name: /10255-1/ })).toHaveFocus();
  });

  it("remembers what was open last", async () => {
    const first = renderPage(<CatalogPage />, { at: "/app/catalog?item=PART:3001" });
    await colour("Red");
    first.unmount();

    renderPage(<CatalogPage />, { at: "/app/catalog" });

    expect(await screen.findByRole("link", { name: /3001.*Brick 2 x 4/ })).toHaveAttribute(
      "href",
      "/app/catalog?item=PART%3A3001",
    );
  });

  it("offers the options of the colours before an item is open, all of them off", async () => {
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog" });
    await user.click(screen.getByRole("button", { name: "Colour options" }));
    const options = within(await screen.findByRole("group", { name: "Which colours are shown" }));
    for (const option of options.getAllByRole("checkbox")) expect(option).not.toBeChecked();

    await user.click(options.getByRole("checkbox", { name: "Highlight" }));

    expect(localStorage.bb_setting_highlight).toBe("true");
  });

  it("tells when the address names an item that the catalogue has not", async () => {
    renderPage(<CatalogPage />, { at: "/app/catalog?item=PART:77777" });

    expect(await screen.findByText("77777 is not in this catalogue")).toBeVisible();
  });
});

describe("what no catalogue has", () => {
  it("is added as a custom item, in the person's own words", async () => {
    answer("POST /api/batchItems", () => ok([{ id: 5, last_added: lastAdded }]));
    answer("GET /api/batches", () => page([batch]));
    answer("GET /api/batches/7", () => ok([batch]));
    answer("GET /api/colors", () => page([{ id: 5, name: "Red", color_html: "#C91A09" }]));
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog?search=zzz999" });
    await user.click(await screen.findByRole("button", { name: "What else to try" }));
    await user.click(await screen.findByRole("button", { name: "Add as custom item…" }));

    const dialog = await screen.findByRole("dialog", { name: "Custom item" });
    expect(within(dialog).getByRole("textbox", { name: /Number/ })).toHaveValue("zzz999");
    await user.type(within(dialog).getByRole("textbox", { name: "Name" }), "Odd brick");
    await user.selectOptions(within(dialog).getByRole("combobox", { name: /Colour/ }), "5");
    await user.click(await within(dialog).findByRole("button", { name: "Add to Attic finds" }));

    await waitFor(() => expect(sent("POST /api/batchItems")).toHaveLength(1));
    expect(sent("POST /api/batchItems")[0]?.body).toMatchObject({
      item_type: "PART",
      item_number: "zzz999",
      item_name: "Odd brick",
      color_id: 5,
    });
  });
});

describe("several numbers", () => {
  it("are searched at once, and those that nothing answers to are named", async () => {
    answer("GET /api/catalogItems", () => page([{ ...brick, asked: "3001" }]));
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog" });
    await user.click(screen.getByRole("searchbox"));

    await user.paste("3001\n99999");

    expect(await screen.findByText("Not in the catalogue: 99999")).toBeVisible();
    expect(screen.getByRole("searchbox")).toHaveValue("3001, 99999");
    expect(sent("GET /api/catalogItems").at(-1)?.query.get("search")).toBe("3001, 99999");
  });
});

describe("a found set", () => {
  it("is added to My Sets, and taken back", async () => {
    answer("POST /api/userSets", () => ok([{ id: 9 }]));
    answer("DELETE /api/userSets/9", () => ok([]));
    const { user } = renderPage(<CatalogPage />, { at: "/app/catalog?item=SET:10255-1" });

    await user.click(await screen.findByRole("button", { name: "Add to My Sets" }));
    await user.click(await screen.findByRole("button", { name: "Undo" }));

    await waitFor(() => expect(sent("POST /api/userSets")[0]?.body).toEqual({ number: "10255-1" }));
    await waitFor(() => expect(sent("DELETE /api/userSets/9")).toHaveLength(1));
  });
});
