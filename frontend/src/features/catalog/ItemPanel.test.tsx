import { act, screen, waitFor, within } from "@testing-library/react";
import { aLocation } from "@/features/locations/testing/builders";
import { clientStore, reloadClientState } from "@/shared/store/clientStore";
import { renderPage } from "@/shared/testing/app";
import { clickAt } from "@/shared/testing/clicks";
import { answer, installServer, never, ok, page, refusal, sent } from "@/shared/testing/server";
import { CatalogPage } from "./CatalogPage";
import { makeItem, makeLot } from "./testing/builders";

const brick = makeItem({ id: 1 });
const connection = {
  marketplace_name: "Demo store",
  is_demo: true,
  state: "ok",
  problem: "",
  outgoing_address: "",
  calls: {
    used: 0,
    limit: 5000,
    resetsAt: "2026-02-01T00:00:00Z",
    kinds: [{ kind: "lookup", name: "Look-ups", used: 0, limit: 2000, left: 2000 }],
  },
};
const rule = { low_value: "0.0500", high_value: "1.0000" };
const synced = "2026-01-30T00:00:00Z";
const red = makeLot({
  id: 10,
  color_id: 5,
  color_name: "Red",
  reference_price: "0.1200",
  reference_basis: "sold",
  suggested_price: "0.1000",
  used_global_avg_sold_price: "0.1200",
  used_us_avg_sold_price: "0.3300",
  new_global_low_price: "0.5500",
  bricklinkSyncedAt: synced,
});
const grey = makeLot({
  id: 11,
  color_id: 9,
  color_name: "Light Gray",
  reference_price: "0.0200",
  reference_basis: "asked",
});
const gold = makeLot({ id: 12, color_id: 21, color_name: "Gold", reference_price: "4.0000" });
const blue = makeLot({ id: 13, color_id: 7, color_name: "Blue" });
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
  totalItemsAdded: 41,
  quantity: 1,
  itemName: "Brick 2 x 4",
  itemNumber: "3001",
  itemType: "PART",
  colorName: "Red",
  timestamp: "2026-01-31T19:00:00Z",
};

beforeEach(() => {
  installServer();
  reloadClientState();
  answer("GET /api/catalogItems", () => page([brick]));
  answer("GET /api/catalogItems/1", () => ok([{ ...brick, external_sites: [] }]));
  answer("GET /api/catalogItems/1/appearsIn", () => page([]));
  answer("GET /api/catalogItems/1/contents", () => page([]));
  answer("GET /api/catalogLots", () => page([red, grey, gold, blue]));
  answer("GET /api/colors", () => page([]));
  answer("GET /api/preferences", () => ok([{ currency: "EUR" }]));
  answer("GET /api/priceRule", () => ok([rule]));
  answer("GET /api/marketplaceConnection", () => ok([connection]));
  answer("GET /api/inventoryItems/destinations", () => page([]));
  answer("GET /api/inventoryItems/owned", () =>
    ok([{ item_id: 5, lot_id: 10, location_id: 1, location_name: "A-01", quantity: 3 }]),
  );
  answer("GET /api/batches", () => page([batch]));
  answer("GET /api/batches/7", () => ok([batch]));
  answer("GET /api/userSetParts", () => page([{ lot_id: 13 }]));
  answer("GET /api/batchItems", () => page([{ lot_id: 13 }, { lot_id: null }]));
});

const open = () => renderPage(<CatalogPage />, { at: "/app/catalog?item=PART:3001&batch=7" });
const tileOf = async (name: string) =>
  within((await screen.findByRole("radio", { name })).closest("li") ?? document.body);
const option = async (user: ReturnType<typeof open>["user"], name: string) => {
  await user.click(screen.getByRole("button", { name: "Colour options" }));
  await user.click(await screen.findByRole("checkbox", { name }));
  await user.keyboard("{Escape}");
};
const showFigures = async (user: ReturnType<typeof open>["user"]) =>
  user.click(await screen.findByRole("radio", { name: "Figures" }));
const colours = async () =>
  within(await screen.findByRole("list", { name: "Colours" }))
    .getAllByRole("radio")
    .map((radio) => radio.getAttribute("aria-label"));

it("leads from an old number to the one that the catalogue moved it to", async () => {
  answer("GET /api/catalogItems/1", () =>
    ok([{ ...brick, external_sites: [], is_retired: true, replaced_by_number: "30010" }]),
  );
  const { user } = open();

  await user.click(await screen.findByRole("link", { name: "Open 30010" }));

  expect(screen.queryByText("no longer made")).toBeNull();
  await waitFor(() =>
    expect(sent("GET /api/catalogItems").at(-1)?.query.get("number")).toBe("30010"),
  );
});

describe("add to set", () => {
  it("puts pieces of the chosen colour aside for a set that lacks it", async () => {
    const set = (id: number, number: string, have: number) => ({
      user_set_id: id,
      number,
      name: "Square",
      qty_required: 4,
      qty_on_hand: have,
    });
    answer("GET /api/userSets/destinations", () =>
      ok([set(3, "10255-1", 1), set(4, "60304-1", 3)]),
    );
    answer("POST /api/userSets/4/putAside", () => ok([{}]));
    const { user } = open();
    await user.click(await screen.findByRole("radio", { name: /^Red/ }));

    await user.click(screen.getByRole("button", { name: "Add to set" }));
    const dialog = await screen.findByRole("dialog", { name: "Add 3001 Red to a set" });
    await user.click(await within(dialog).findByRole("radio", { name: /60304-1/ }));
    const quantity = within(dialog).getByLabelText("Quantity");
    await user.clear(quantity);
    await user.type(quantity, "2");
    expect(await within(dialog).findByText("60304-1 lacks 1.")).toBeVisible();
    await user.clear(quantity);
    await user.type(quantity, "1{Enter}");

    await waitFor(() =>
      expect(sent("POST /api/userSets/4/putAside").map(({ body }) => body)).toEqual([
        { lot_id: 10, quantity: 1 },
      ]),
    );
    expect(await screen.findByText("1 put aside for 60304-1")).toBeVisible();
  });

  it("says that no set lacks it, and what went wrong when it cannot know", async () => {
    answer("GET /api/userSets/destinations", (_, count) =>
      count === 0 ? refusal(400, "X", "No sets today.") : ok([]),
    );
    const { user } = open();
    await user.click(await screen.findByRole("radio", { name: /^Red/ }));

    await user.click(screen.getByRole("button", { name: "Add to set" }));
    expect(await screen.findByText("No sets today.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Try again" }));

    expect(await screen.findByText("None of your sets lacks it")).toBeVisible();
  });
});

describe("the colour lots", () => {
  it("are pictures with what is owned and worth", async () => {
    open();

    const red = await tileOf("Red");
    expect(red.getByText("3 in A-01")).toBeVisible();
    expect(red.getByRole("button", { name: /^Prices of Red / })).toHaveTextContent(
      "€0.12 soldused 0.12",
    );
    expect((await tileOf("Blue")).getByText("no prices")).toBeVisible();
  });

  const many = (priced: number) =>
    Array.from({ length: 20 }, (_, index) =>
      makeLot({
        id: 100 + index,
        color_id: 100 + index,
        color_name: `Colour ${index}`,
        reference_price: index === priced ? "0.1200" : null,
      }),
    );

  it("without a price are folded beside those with one", async () => {
    answer("GET /api/catalogLots", () => page(many(19)));
    const { user } = open();
    expect(await colours()).toEqual(["Colour 19"]);

    await user.click(screen.getByRole("button", { name: "19 more without prices" }));

    expect(await colours()).toHaveLength(20);
  });

  it("are the first twelve where none has a price, and stay once one has", async () => {
    answer("GET /api/catalogLots", () => page(many(-1)));
    const { queryClient } = open();
    expect(await colours()).toHaveLength(12);
    expect(screen.getByRole("button", { name: "8 more without prices" })).toBeVisible();

    answer("GET /api/catalogLots", () => page(many(1)));
    await act(() => queryClient.invalidateQueries());

    expect(await colours()).toHaveLength(12);
  });

  it("show the reference price with how it was found, and of when the prices are", async () => {
    const { user } = open();
    await showFigures(user);

    const row = await screen.findByRole("row", { name: /Red/ });
    expect(row).toHaveTextContent("€0.12 sold");
    expect(row).toHaveTextContent("3A-01");
    expect(row).toHaveTextContent(/ago|last/);
    expect(screen.getByRole("row", { name: /Blue/ })).toHaveTextContent("– no data");
    expect(screen.getByRole("row", { name: /Blue/ })).toHaveTextContent("never");
  });

  it("show what used and new ones sold for beside each other", async () => {
    const { user } = open();
    await showFigures(user);

    for (const name of ["Used, worldwide Sold", "New, worldwide Sold", "Reference"]) {
      expect(await screen.findByRole("columnheader", { name })).toBeVisible();
    }
    expect(screen.queryByRole("columnheader", { name: /^New.*Lowest/ })).toBeNull();
  });

  it("show used and new, US and worldwide: one of the four, or all", async () => {
    const { user } = open();
    await showFigures(user);
    const row = () => screen.findByRole("row", { name: /Red/ });
    expect(await row()).not.toHaveTextContent("€0.33");

    await user.click(screen.getByRole("radio", { name: "US" }));
    expect(await row()).toHaveTextContent("€0.33");
    await user.click(screen.getByRole("checkbox", { name: "All figures" }));

    expect(await row()).toHaveTextContent("€0.33");
    expect(await row()).toHaveTextContent("€0.55");
    expect(screen.getByRole("columnheader", { name: /New, worldwide.*Lowest/ })).toBeVisible();
  });
});

describe("the options", () => {
  it("hide low value lots, say how many, and show them with one click", async () => {
    const { user } = open();
    expect(await screen.findByText("1 low value lot hidden")).toBeVisible();
    expect(await colours()).not.toContain("Light Gray");

    await user.click(screen.getByRole("button", { name: "Show" }));

    expect(await colours()).toContain("Light Gray");
    expect(localStorage.bb_setting_showLowValueLots).toBe("true");
  });

  it("hide the lots that the chosen batch holds", async () => {
    const { user } = open();
    expect(await colours()).toContain("Blue");

    await option(user, "Hide existing batch item lots");

    await waitFor(async () => expect(await colours()).not.toContain("Blue"));
    expect(screen.getByText("1 existing lot hidden")).toBeVisible();
    expect(sent("GET /api/batchItems")[0]?.query.get("batch")).toBe("7");
  });

  it("mark what is owned, in the batch, of high value and needed by a set, with a legend", async () => {
    const { user } = open();

    await option(user, "Highlight");

    const blue = await tileOf("Blue");
    expect(await blue.findByText("in this batch")).toBeInTheDocument();
    expect((await tileOf("Red")).getByText("in my inventory")).toBeInTheDocument();
    expect((await tileOf("Gold")).getByText("high value")).toBeInTheDocument();
    expect(await blue.findByText("needed by a set")).toBeInTheDocument();
    expect(
      within(screen.getByRole("list", { name: "Legend" }))
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent),
    ).toEqual(["in my inventory", "in this batch", "high value", "needed by a set"]);
  });
});

describe("prices", () => {
  beforeEach(() => answer("POST /api/marketplace/priceRefreshes", () => ok([{ id: "7f0c9d7e" }])));

  it("are refreshed of the chosen colour, or of all that are shown", async () => {
    const { user } = open();
    await user.click(await screen.findByRole("radio", { name: "Red" }));

    await user.click(screen.getByRole("button", { name: "Refresh prices" }));
    await user.click(await screen.findByRole("menuitem", { name: "Of Red" }));
    await waitFor(() => expect(sent("POST /api/marketplace/priceRefreshes")).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: "Refresh prices" }));
    await user.click(await screen.findByRole("menuitem", { name: "Of all 3 shown" }));

    await waitFor(() => expect(sent("POST /api/marketplace/priceRefreshes")).toHaveLength(2));
    expect(sent("POST /api/marketplace/priceRefreshes").map(({ body }) => body)).toEqual([
      { lot_ids: [10] },
      { lot_ids: [10, 13, 12] },
    ]);
  });

  it("of many are asked about first, with the calls that are left", async () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      makeLot({ id: 100 + index, color_id: 100 + index, color_name: `Colour ${index}` }),
    );
    answer("GET /api/catalogLots", () => page(many));
    const { user } = open();
    await colours();

    await user.click(screen.getByRole("button", { name: "Refresh prices" }));
    await user.click(await screen.findByRole("menuitem", { name: "Of all 12 shown" }));
    const dialog = await screen.findByRole("dialog", { name: /12 lots/ });
    expect(await within(dialog).findByText(/up to 96 calls.*2,000 look-ups/)).toBeVisible();
    expect(sent("POST /api/marketplace/priceRefreshes")).toHaveLength(0);
    await user.click(within(dialog).getByRole("button", { name: "Refresh" }));

    await waitFor(() => expect(sent("POST /api/marketplace/priceRefreshes")).toHaveLength(1));
  });

  it("cannot be refreshed without a store, and it says what to do", async () => {
    answer("POST /api/marketplace/priceRefreshes", () =>
      refusal(409, "CONFLICT", "Connect your store first (Settings, Integrations)."),
    );
    const { user } = open();
    await colours();

    await user.click(screen.getByRole("button", { name: "Refresh prices" }));
    await user.click(await screen.findByRole("menuitem", { name: /Of all/ }));

    expect(await screen.findByText(/Connect your store first/)).toBeVisible();
  });

  it("of a lot are shown with what they rest on and how they went", async () => {
    answer("GET /api/catalogLots/10/prices", () =>
      ok([
        {
          lot_id: 10,
          currency: "EUR",
          figures: [
            {
              condition: "U",
              region: "global",
              avg_sold_price: "0.1200",
              avg_inventory_price: null,
              low_price: null,
              sell_through: null,
              sold_lots: 7,
              sold_quantity: 120,
              stock_lots: 0,
              stock_quantity: 0,
              bricklinkSyncedAt: synced,
            },
          ],
          points: [
            {
              condition: "U",
              region: "global",
              day: "2026-01-30",
              avg_sold_price: "0.1200",
              avg_inventory_price: null,
              low_price: null,
            },
          ],
        },
      ]),
    );
    const { user } = open();
    await colours();

    await user.click(screen.getByRole("button", { name: /^Prices of Red / }));

    const dialog = await screen.findByRole("dialog", { name: "Prices of 3001 Red" });
    const row = await within(dialog).findByRole("row", { name: /Used/ });
    expect(row).toHaveTextContent("7 sales, 120 pieces");
    expect(row).toHaveTextContent("no lots");
    expect(
      within(dialog).getByRole("figure", { name: /Last: Sold, worldwide €0.12/ }),
    ).toBeVisible();
    await user.click(within(dialog).getByRole("radio", { name: "New" }));
    expect(within(dialog).getByText(/No prices of this condition/)).toBeVisible();
  });

  it("are proposed by the person's rule when a colour is added", async () => {
    const { user } = open();

    await user.click(await screen.findByRole("radio", { name: "Red" }));

    expect(screen.getByRole("textbox", { name: /Price/ })).toHaveValue("0.10");
  });
});

describe("an item whose colours are not known yet", () => {
  it.each([
    ["could not be read", () => refusal(400, "VALIDATION_ERROR", "Not now.")],
    ["are on their way", never],
  ])("is not added without one: they %s", async (_, lots) => {
    answer("GET /api/catalogLots", lots);
    const { user } = open();
    await screen.findByText("Attic finds");

    await user.hover(screen.getByRole("button", { name: "Add to batch" }));

    expect(await screen.findByRole("tooltip")).toHaveTextContent("Its colours are not known yet");
    expect(screen.queryByRole("combobox", { name: "Colour" })).toBeNull();
  });

  it("does not call a colour unknown where the list of colours could not be read", async () => {
    answer("GET /api/catalogLots", () => page([]));
    answer("GET /api/colors", () => refusal(400, "VALIDATION_ERROR", "Not now."));
    const { user } = open();

    await user.type(await screen.findByRole("combobox", { name: "Colour" }), "red");

    expect(await screen.findByText(/^The colours could not be loaded. Not now/)).toBeVisible();
    expect(screen.queryByText("No such colour.")).toBeNull();
  });
});

describe("a double click", () => {
  const bins = [{ id: 4, name: "B-07", recommended: true }];
  beforeEach(() => {
    answer("GET /api/inventoryItems/destinations", () => page(bins));
    answer("POST /api/batchItems", () => ok([{ id: 3, last_added: lastAdded }]));
    answer("POST /api/batches/7/stow", () => ok([{}]));
  });
  const choose = async () => {
    const view = open();
    await view.user.click(await screen.findByRole("radio", { name: "Red" }));
    await screen.findByRole("button", { name: "Stow now in B-07" });
    return view;
  };

  it("adds once, also where the first click is answered before the second", async () => {
    const { user } = await choose();
    const add = screen.getByRole("button", { name: "Add to batch" });

    clickAt(add, 10_000);
    await screen.findByText("1 × 3001 Red added to Attic finds");
    clickAt(add, 10_100);
    await user.hover(add); // what the second would send is sent by then

    expect(sent("POST /api/batchItems")).toHaveLength(1);
  });

  it("stows once", async () => {
    const { user } = await choose();
    const stow = screen.getByRole("button", { name: "Stow now in B-07" });

    clickAt(stow, 10_000);
    await screen.findByText("1 × 3001 Red stowed in B-07");
    clickAt(stow, 10_100);
    await user.hover(stow); // what the second would send is sent by then

    expect(sent("POST /api/batchItems")).toHaveLength(1);
  });

  it("is no two presses with another quantity between", async () => {
    const { user } = await choose();
    await user.click(screen.getByRole("button", { name: "Add to batch" }));
    await screen.findByText("1 × 3001 Red added to Attic finds");

    await user.type(screen.getByRole("textbox", { name: "Quantity" }), "2");
    await user.click(screen.getByRole("button", { name: "Add to batch" }));

    await waitFor(() => expect(sent("POST /api/batchItems")).toHaveLength(2));
    expect(sent("POST /api/batchItems")[1]?.body).toMatchObject({ qty: 12 });
  });
});

describe("stow now", () => {
  const bins = [
    { id: 3, name: "A-01", recommended: false },
    { id: 4, name: "B-07", recommended: true },
  ];
  beforeEach(() => {
    answer("GET /api/inventoryItems/destinations", () => page(bins));
    answer("POST /api/batchItems", () => ok([{ id: 3, last_added: lastAdded }]));
  });

  it("adds the colour with the recommended bin and stows it there", async () => {
    answer("POST /api/batches/7/stow", () => ok([{ act_id: 55 }]));
    answer("POST /api/batches/7/undo", () => ok([{}]));
    answer("DELETE /api/batchItems/3", () => ok([]));
    const { user } = open();
    await user.click(await screen.findByRole("radio", { name: "Red" }));

    await user.click(await screen.findByRole("button", { name: "Stow now in B-07" }));

    expect(await screen.findByText("1 × 3001 Red stowed in B-07")).toBeVisible();
    expect(sent("POST /api/batchItems")[0]?.body).toMatchObject({
      lot_id: 10,
      user_inventory_item_location_id: 4,
    });
    expect(sent("POST /api/batches/7/stow")[0]?.body).toEqual({ items: [3] });

    await user.click(screen.getByRole("button", { name: "Undo" }));
    await screen.findByText("Undone: 1 × 3001 Red stowed in B-07");
    expect(sent("POST /api/batches/7/undo")[0]?.body).toEqual({ act_id: 55 });
    expect(sent("DELETE /api/batchItems/3")).toHaveLength(1);
  });

  it("plans the recommended bin, or the one that was chosen", async () => {
    answer("GET /api/inventoryLocations", () => page([aLocation({ id: 9, name: "C-03" })]));
    const { user } = open();
    await user.click(await screen.findByRole("radio", { name: "Red" }));
    await screen.findByRole("button", { name: "B-07" });
    await user.click(screen.getByRole("button", { name: "Add to batch" }));
    await screen.findByText("1 × 3001 Red added to Attic finds");

    await user.click(screen.getByRole("button", { name: "B-07" }));
    await user.click(await screen.findByRole("option", { name: /^C-03/ }));
    await user.click(screen.getByRole("button", { name: "Add to batch" }));

    await waitFor(() => expect(sent("POST /api/batchItems")).toHaveLength(2));
    const planned = sent("POST /api/batchItems").map(({ body }) => body);
    expect(planned).toEqual([
      expect.objectContaining({ user_inventory_item_location_id: 4 }),
      expect.objectContaining({ user_inventory_item_location_id: 9 }),
    ]);
  });

  it("says that it is in the batch when the bin refuses it", async () => {
    answer("POST /api/batches/7/stow", () =>
      refusal(409, "CAPACITY_EXCEEDED", "B-07 takes 0 more, not 1."),
    );
    const { user } = open();
    await user.click(await screen.findByRole("radio", { name: "Red" }));

    await user.click(await screen.findByRole("button", { name: "Stow now in B-07" }));

    expect(
      await screen.findByText("Added, but not stowed: B-07 takes 0 more, not 1."),
    ).toBeVisible();
  });
});

describe("minifigs", () => {
  const figure = {
    ...makeItem({ id: 50, item_number: "sp001", item_type: "MINIFIG" }),
    quantity: 1,
  };
  const line = (id: number, item_id: number, number: string) => ({
    ...makeItem({ id: item_id, item_number: number }),
    id,
    item_id,
    lot_id: id,
    color_id: 11,
    color_name: "Black",
    color_html: null,
    quantity: 1,
    is_spare: false,
    is_alternate: false,
    match_id: 0,
    is_counterpart: false,
  });
  beforeEach(() => {
    answer("GET /api/catalogItems/1/appearsIn", () => page([figure]));
    answer("GET /api/catalogItems/50/contents", () =>
      page([line(1, 1, "3001"), line(2, 2, "970")]),
    );
    clientStore.set("options.completeMinifigs", true);
  });

  it("that a part belongs to are shown only when they are asked for", async () => {
    clientStore.set("options.completeMinifigs", false);
    open();
    await colours();

    expect(screen.queryByRole("heading", { name: "Complete minifigs" })).toBeNull();
  });

  it("have a checklist on which the part that led there is ticked", async () => {
    const { user } = open();
    const list = await screen.findByRole("list", { name: "Minifigs" });

    await user.click(within(list).getByRole("button", { name: /sp001/ }));

    expect(await within(list).findByText("1 of 2 parts are there")).toBeVisible();
    expect(within(list).getByRole("checkbox", { name: /3001/ })).toBeChecked();
    await user.click(within(list).getByRole("checkbox", { name: /970/ }));
    expect(within(list).getByText("Complete")).toBeVisible();
  });

  it("are added to the batch as one lot by Enter", async () => {
    answer("POST /api/batchItems", () => ok([{ id: 3, last_added: lastAdded }]));
    const { user } = open();
    const list = await screen.findByRole("list", { name: "Minifigs" });

    within(list).getByRole("button", { name: /sp001/ }).focus();
    await user.keyboard("{Enter}");

    expect(await screen.findByText("sp001 added to Attic finds")).toBeVisible();
    expect(sent("POST /api/batchItems")[0]?.body).toEqual({
      batch_id: 7,
      item_type: "MINIFIG",
      item_number: "sp001",
      color_id: 0,
      qty: 1,
      condition: "U",
    });
  });
});

describe("parts", () => {
  it("lead to what the item appears in, and back", async () => {
    const figure = {
      ...makeItem({ id: 50, item_number: "6067-1", item_type: "SET" }),
      quantity: 4,
    };
    answer("GET /api/catalogItems/1/appearsIn", () => page([figure]));
    open();

    const list = await screen.findByRole("list", { name: "Appears in" });
    expect(within(list).getByRole("link", { name: /6067-1/ })).toHaveAttribute(
      "href",
      "/app/catalog?item=SET%3A6067-1&batch=7",
    );
    expect(list).toHaveTextContent("4 ×");
  });
});
