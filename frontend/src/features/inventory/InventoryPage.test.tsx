import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { browserZone } from "@/shared/lib/format";
import { setSetting } from "@/shared/lib/localSettings";
import { clientStore } from "@/shared/store/clientStore";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { IS_PHONE, setMedia } from "@/shared/testing/media";
import { answer, installServer, never, ok, page, refusal, sent } from "@/shared/testing/server";
import { InventoryPage } from "./InventoryPage";
import { aStockRow, aSync, aSyncRow } from "./testing/builders";

beforeEach(() => {
  giveElementsASize(1600);
  installServer();
  clientStore.clear("options.showZeroQuantity");
  clientStore.clear("options.showUnconsolidated");
  answer("GET /api/inventoryItems", () => page([aStockRow()]));
  answer("GET /api/inventorySyncs", () => page([]));
  answer("GET /api/preferences", () => ok([{ currency: "EUR", inventory_views: [] }]));
});

const show = (at = "/app/inventory") =>
  renderPage(<InventoryPage />, { at, path: "/app/inventory" });

/** Two rows in each of these views, none in the others. */
const ORDER = [
  ...["No price", "No bin", "Unknown", "Far from the market", "Old market price"],
  ...["In several bins", "Few left", "Changed since last upload"],
];
const serveCounts = (filled: readonly string[]) =>
  answer("POST /api/inventoryItems/viewCounts", () =>
    ok([{ rows: 9 }, ...ORDER.map((name) => ({ rows: filled.includes(name) ? 2 : 0 }))]),
  );

describe("InventoryPage", () => {
  it("hides empty rows and shows all lots until its switches are turned on, and keeps them", async () => {
    const { user } = show();
    await screen.findByText("Brick 2 x 4");
    const first = sent("GET /api/inventoryItems")[0]?.query;
    expect([first?.get("show_zero_quantity"), first?.get("unconsolidated")]).toEqual([null, null]);

    await user.click(screen.getByRole("button", { name: "Filter" }));
    await user.click(screen.getByRole("button", { name: "Show" }));
    await user.click(await screen.findByRole("switch", { name: "Show zero quantity" }));
    await user.click(screen.getByRole("switch", { name: "Parts in several bins" }));

    await waitFor(() => {
      const last = sent("GET /api/inventoryItems").at(-1)?.query;
      expect(last?.get("show_zero_quantity")).toBe("true");
      expect(last?.get("unconsolidated")).toBe("true");
    });
    expect(localStorage.getItem("bb_setting_showZeroQuantity")).toBe("true");
    expect(localStorage.getItem("bb_setting_showUnconsolidated")).toBe("true");
  });

  it.each([
    ["Far from the market", "outlier"],
    ["Old market price", "stale_price"],
    ["Changed since last upload", "since_sync"],
    ["No price", "unpriced"],
    ["In several bins", "unconsolidated"],
  ])("shows the view '%s', one at a time", async (label, param) => {
    serveCounts([label]);
    const { user } = show("/app/inventory?location=none");
    await screen.findByText("Brick 2 x 4");

    const views = within(screen.getByRole("group", { name: "Views" }));
    expect(await views.findByRole("button", { name: /^No bin/ })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await user.click(await views.findByRole("button", { name: new RegExp(label) }));

    await waitFor(() => {
      const last = sent("GET /api/inventoryItems").at(-1)?.query;
      expect([last?.get(param), last?.get("location")]).toEqual(["true", null]);
    });
  });

  it("hides views without rows, and keeps those that find no place in a menu", async () => {
    serveCounts(["No price", "Unknown", "Few left", "Far from the market", "Old market price"]);
    const { user } = show();
    const views = within(await screen.findByRole("group", { name: "Views" }));
    await views.findByRole("button", { name: /No price/ });

    const names = () => views.getAllByRole("button").map(({ textContent }) => textContent);
    expect(names()).toEqual([
      "Everything9",
      "No price2",
      "Unknown2",
      "Far from the market2",
      "More views",
    ]);

    await user.click(views.getByRole("button", { name: "More views" }));
    await user.click(await screen.findByRole("menuitem", { name: "Few left (2)" }));

    await waitFor(() =>
      expect(sent("GET /api/inventoryItems").at(-1)?.query.get("quantity_max")).toBe("5"),
    );
    expect(names()).toContain("Few left2");
  });

  it("asks for the sums with the rows, not after them", async () => {
    answer("GET /api/inventoryItems", never);

    show();

    await waitFor(() => expect(sent("GET /api/inventoryItems/sums")).toHaveLength(1));
  });

  it("puts all lots that have no bin into one", async () => {
    const sums = { rows: 3, lots: 3, pieces: 9, value: "1.0000", lots_without_price: 0 };
    answer("GET /api/inventoryItems/sums", () => ok([sums]));
    answer("GET /api/inventoryLocations", () => page([{ id: 8, name: "B-07", item_count: 0 }]));
    answer("POST /api/inventoryItems/move", () => ok([{ act_id: 9, item_count: 3 }]));
    const { user } = show("/app/inventory?location=none&search=brick");

    await user.click(await screen.findByRole("button", { name: "Put all 3 into one bin…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Move 3 rows" }));
    await user.type(dialog.getByRole("combobox", { name: /Move to/ }), "B");
    await user.click(await screen.findByRole("option", { name: /B-07/ }));
    await user.click(dialog.getByRole("button", { name: "Move" }));

    await waitFor(() =>
      expect(sent("POST /api/inventoryItems/move")[0]?.body).toEqual({
        filter: { location: "none", search: "brick" },
        to: 8,
      }),
    );
  });

  it("moves none into one bin until they are counted anew", async () => {
    const sums = { rows: 3, lots: 3, pieces: 9, value: "1.0000", lots_without_price: 0 };
    answer("GET /api/inventoryItems/sums", () => ok([sums]));
    const { user } = show("/app/inventory?location=none&search=brick");
    const all = await screen.findByRole("button", { name: "Put all 3 into one bin…" });
    expect(all).toBeEnabled();
    answer("GET /api/inventoryItems/sums", () => new Promise(() => {}));

    await user.clear(screen.getByRole("searchbox"));

    await waitFor(() => expect(all).toHaveAttribute("aria-disabled", "true"));
  });

  it("names the currency once, in the heads of its columns", async () => {
    show("/app/inventory");

    expect(await screen.findByRole("columnheader", { name: "Price, EUR" })).toBeInTheDocument();
    expect(screen.getByRole("columnheader", { name: "Value, EUR" })).toBeInTheDocument();
  });

  it("shows what changed since the last upload with what is sold out, by the link of other pages", async () => {
    show("/app/inventory?since_sync=true&show_zero_quantity=true");
    await screen.findByText("Brick 2 x 4");

    const views = within(screen.getByRole("group", { name: "Views" }));
    expect(views.getByRole("button", { pressed: true })).toHaveTextContent(
      "Changed since last upload",
    );
    const asked = sent("GET /api/inventoryItems").at(-1)?.query;
    expect([asked?.get("since_sync"), asked?.get("show_zero_quantity")]).toEqual(["true", "true"]);
  });

  it("says how many rows each view has, one's own too", async () => {
    const own = { name: "Spares", query: "condition=U&ordering=-value&search=tyre" };
    answer("GET /api/preferences", () => ok([{ currency: "EUR", inventory_views: [own] }]));
    answer("POST /api/inventoryItems/viewCounts", ({ body }) =>
      ok((body as { filters: unknown[] }).filters.map((_, at) => ({ rows: 1000 + at }))),
    );
    show("/app/inventory?condition=N");

    expect(await screen.findByRole("button", { name: "Everything 1,000" })).toBeVisible();
    expect(screen.getByRole("button", { name: "No price 1,001" })).toBeVisible();
    expect(await screen.findByRole("button", { name: "Spares 1,000" })).toBeVisible();
    const asked = sent("POST /api/inventoryItems/viewCounts").map(
      ({ body }) => (body as { filters: unknown[] }).filters,
    );
    expect(asked.find(({ length }) => length === 9)?.[1]).toEqual({ unpriced: "true" });
    expect(asked.find(({ length }) => length === 1)).toEqual([
      { condition: "U", search: "tyre", time_zone: browserZone() },
    ]);
  });

  it("says of rows without any price that they have none, not that they are worth 0.00", async () => {
    answer("GET /api/inventoryItems/sums", () =>
      ok([{ rows: 4, lots: 4, pieces: 8, value: "0.0000", lots_without_price: 4 }]),
    );
    show("/app/inventory");

    const told = (await screen.findByText("8")).closest("p");
    expect(told).toHaveTextContent("4 lots8 pieces– value, 4 lots have no price");
  });

  it("says what all rows come to that are shown, with the list's filters", async () => {
    answer("GET /api/inventoryItems/sums", () =>
      ok([{ rows: 260, lots: 255, pieces: 2404, value: "1232.8600", lots_without_price: 2 }]),
    );
    show("/app/inventory?condition=U");

    const told = (await screen.findByText("2,404")).closest("p");
    expect(told).toHaveTextContent("255 lots2,404 pieces1,232.86 value, 2 lots have no price");
    const asked = sent("GET /api/inventoryItems/sums").at(-1)?.query;
    expect(Object.fromEntries(asked ?? [])).toEqual({ condition: "U" });
  });

  it("opens the row of the address at its price, and what is typed replaces it", async () => {
    const row = aStockRow({ id: 40, price: "0.1500" });
    answer("GET /api/inventoryItems/40", () => ok([row]));
    answer("PATCH /api/inventoryItems/40", () => ok([{ ...row, price: "2.0000" }]));
    const { user } = show("/app/inventory?price=40");

    const price: HTMLInputElement = await screen.findByLabelText("Price");
    await waitFor(() => expect(price).toHaveFocus());
    await user.keyboard("2");
    await user.click(screen.getByRole("button", { name: "Save" }));

    await waitFor(() => {
      const body = sent("PATCH /api/inventoryItems/40")[0]?.body;
      expect(body).toMatchObject({ price: "2" });
    });
  });

  describe("the person's own views", () => {
    const dear = { name: "Dear", query: "ordering=-price&quantity_max=5" };
    const serve = (...views: object[]) => {
      let stored = views;
      const told = () => ok([{ currency: "EUR", inventory_views: stored }]);
      answer("GET /api/preferences", told);
      answer("PATCH /api/preferences", ({ body }) => {
        stored = (body as { inventory_views: object[] }).inventory_views;
        return told();
      });
    };
    const views = async () => within(await screen.findByRole("group", { name: "Views" }));

    it("are saved under a name from what is shown, and undone from the toast", async () => {
      serve();
      const { user } = show("/app/inventory?quantity_max=5&search=brick&ordering=-price");
      await user.click(await (await views()).findByRole("button", { name: "Save view" }));
      await user.type(await screen.findByRole("textbox", { name: "Name" }), "Dear{Enter}");

      expect(await (await views()).findByRole("button", { name: "Dear" })).toHaveAttribute(
        "aria-pressed",
        "true",
      );
      expect(sent("PATCH /api/preferences")[0]?.body).toEqual({
        inventory_views: [{ name: "Dear", query: "ordering=-price&quantity_max=5&search=brick" }],
      });
      expect((await views()).queryByRole("button", { name: "Save view" })).toBeNull();
      const toast = within(await screen.findByRole("region", { name: "Notifications" }));
      await user.click(toast.getByRole("button", { name: "Undo" }));
      await waitFor(async () =>
        expect((await views()).queryByRole("button", { name: "Dear" })).toBeNull(),
      );
    });

    it("show their rows and nothing of what was narrowed before", async () => {
      serve(dear);
      const { user } = show("/app/inventory?location=none&search=plate");
      await user.click(await (await views()).findByRole("button", { name: "Dear" }));

      await waitFor(() => {
        const asked = sent("GET /api/inventoryItems").at(-1)?.query;
        expect([asked?.get("quantity_max"), asked?.get("ordering")]).toEqual(["5", "-price"]);
        expect([asked?.get("location"), asked?.get("search")]).toEqual([null, null]);
      });
    });

    it("are replaced by a view of the same name, and removed", async () => {
      serve(dear);
      const { user } = show("/app/inventory?quantity_max=9&ordering=-price");
      await user.click(await (await views()).findByRole("button", { name: "Save view" }));
      await user.type(await screen.findByRole("textbox", { name: "Name" }), "dear{Enter}");
      await user.click(await (await views()).findByRole("button", { name: "Remove view" }));

      await waitFor(() => expect(sent("PATCH /api/preferences")).toHaveLength(2));
      expect(sent("PATCH /api/preferences").map(({ body }) => body)).toEqual([
        { inventory_views: [{ name: "dear", query: "ordering=-price&quantity_max=9" }] },
        { inventory_views: [] },
      ]);
    });

    it("cannot be saved of what has a name already", async () => {
      serve();
      show("/app/inventory?location=none");
      await screen.findByText("Brick 2 x 4");
      expect((await views()).queryByRole("button", { name: "Save view" })).toBeNull();
    });
  });

  describe("as tiles", () => {
    const rows = Array.from({ length: 8 }, (_, index) =>
      aStockRow({ id: 40 + index, part_name: `Brick ${index}`, location_name: `A-0${index}` }),
    );
    const tiles = async () => {
      await screen.findByText("Brick 0");
      return screen.getAllByRole("gridcell");
    };
    beforeEach(() => answer("GET /api/inventoryItems", () => page(rows)));

    it("is the same list with its filters, and is remembered", async () => {
      const { user, router, unmount } = show("/app/inventory?condition=U&ordering=-value");
      await screen.findByText("Brick 0");

      await user.click(screen.getByRole("radio", { name: "Tiles" }));

      expect((await tiles())[1]).toHaveTextContent("Brick 134in A-01");
      expect(router.state.location.search).toBe("?condition=U&ordering=-value");
      const asked = sent("GET /api/inventoryItems").at(-1)?.query;
      expect([asked?.get("condition"), asked?.get("ordering")]).toEqual(["U", "-value"]);
      unmount();
      show();
      expect(await tiles()).toHaveLength(8);
      expect(screen.queryByRole("columnheader")).toBeNull();
    });

    it("is walked by arrows; Space selects, Enter opens", async () => {
      const { user, router } = show("/app/inventory?view=tiles");
      const [first] = await tiles();
      first?.focus();

      await user.keyboard("{ArrowRight}{ArrowRight}{ArrowLeft} ");

      expect((await tiles())[1]).toHaveFocus();
      expect((await tiles()).map((tile) => tile.ariaSelected)).toEqual(
        rows.map((_, index) => String(index === 1)),
      );
      expect(await screen.findByText("1 selected")).toBeVisible();
      answer("GET /api/inventoryItems/41", () => ok([rows[1]]));
      answer("GET /api/inventoryItems/41/movements", () => page([]));
      await user.keyboard("{Enter}");
      await waitFor(() => expect(router.state.location.search).toBe("?view=tiles&item=41"));
    });

    it("has the acts of a row, and is sorted without heads", async () => {
      const { user } = show("/app/inventory?view=tiles");
      const [, second] = await tiles();
      await user.click(within(second as HTMLElement).getByRole("button", { name: "Row actions" }));
      expect(await screen.findByRole("menuitem", { name: "Open A-01" })).toBeVisible();
      await user.keyboard("{Escape}");

      await user.click(screen.getByRole("button", { name: "Sort and filter" }));
      await user.selectOptions(await screen.findByLabelText("Sort by"), "-value");

      await waitFor(() =>
        expect(sent("GET /api/inventoryItems").at(-1)?.query.get("ordering")).toBe("-value"),
      );
    });
  });

  it("tells a row in two lines on a phone", async () => {
    setMedia(IS_PHONE, true);
    show();

    const row = (await screen.findByText("Brick 2 x 4")).closest("li");
    expect(row).toHaveTextContent(/Red.*Used.*×.*0/);
    expect(row).not.toHaveTextContent("Last change");
  });

  it("counts a location at its address", async () => {
    const take = { id: 6, location_id: 3, location_name: "A-01", state: "open", act_id: null };
    answer("POST /api/stocktakes", () => ok([take]));
    answer("GET /api/stocktakes/6/rows", () => page([]));
    answer("GET /api/stocktakes/6/found", () => page([]));
    answer("GET /api/stocktakes/6/tally", () =>
      ok([{ rows: 0, counted: 0, fewer_rows: 0, more_rows: 0, fewer_pieces: 0, more_pieces: 0 }]),
    );
    const { router } = show("/app/inventory?count=3");

    expect(await screen.findByRole("dialog", { name: "Count A-01" })).toBeInTheDocument();
    expect(sent("POST /api/stocktakes")[0]?.body).toEqual({ location_id: 3 });
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
    await waitFor(() => expect(router.state.location.search).toBe(""));
  });

  it("brings a deleted row back with all that it had", async () => {
    const gone = aStockRow({ quantity: 0, bulk: 4, reserved: "Carl", retain: true });
    answer("GET /api/inventoryItems", () => page([gone]));
    answer("POST /api/inventoryItems/bulk", ({ body }) => {
      const action = "restore" in (body as object) ? "restore" : "delete";
      const row = action === "restore" ? { ...gone, updatedAt: "2026-02-03T04:05:06Z" } : null;
      return ok([{ action, index: 0, ok: true, id: 40, code: null, message: null, row }]);
    });
    const { user } = show();
    await screen.findByText("Brick 2 x 4");
    await user.click(screen.getByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete row" }));
    await user.click(await screen.findByRole("button", { name: "Undo" }));

    await waitFor(() =>
      expect(sent("POST /api/inventoryItems/bulk").map(({ body }) => body)).toEqual([
        { atomic: false, delete: [40] },
        { atomic: false, restore: [40] },
      ]),
    );
  });

  it("takes back what the form of a row changed, from the toast", async () => {
    const row = aStockRow({ quantity: 5, price: "0.1000", remarks: "top" });
    let stored = row;
    answer("GET /api/inventoryItems", () => page([row]));
    answer("PATCH /api/inventoryItems/40", ({ body }) => {
      stored = {
        ...stored,
        ...(body as object),
        updatedAt: `2026-02-0${sent().length % 9}T04:05:06Z`,
      };
      return ok([stored]);
    });
    const { user } = show();
    await screen.findByText("Brick 2 x 4");
    await user.click(screen.getByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Edit…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.clear(dialog.getByLabelText("Quantity"));
    await user.type(dialog.getByLabelText("Quantity"), "8");
    await user.clear(dialog.getByLabelText("Remarks"));
    await user.type(dialog.getByLabelText("Remarks"), "below");
    await user.click(dialog.getByRole("button", { name: "Save" }));
    await user.click(await screen.findByRole("button", { name: "Undo" }));

    await waitFor(() => expect(sent("PATCH /api/inventoryItems/40")).toHaveLength(2));
    expect(sent("PATCH /api/inventoryItems/40").map(({ body }) => body)).toEqual([
      { quantity: 8, remarks: "below", updatedAt: row.updatedAt },
      { quantity: 5, remarks: "top", updatedAt: expect.anything() },
    ]);
  });

  it("shows the batch that a row was stowed from last, once its column is chosen", async () => {
    setSetting("table_inventory", { visibility: { batch: true } });
    answer("GET /api/inventoryItems", () =>
      page([aStockRow({ batch_id: 12, batch_name: "B-2026-11", batch_count: 3 })]),
    );
    const { user } = show("/app/inventory?batch=12");

    const batch = await screen.findByRole("link", { name: "B-2026-11" });
    expect(batch).toHaveAttribute("href", "/app/batches?batch=12");
    expect(batch.closest("[role=gridcell]")).toHaveTextContent("B-2026-11+2");
    expect(sent("GET /api/inventoryItems")[0]?.query.get("batch")).toBe("12");

    await user.click(await screen.findByRole("button", { name: "From one batch" }));
    await waitFor(() =>
      expect(sent("GET /api/inventoryItems").at(-1)?.query.get("batch")).toBeNull(),
    );
  });

  it("tells in a row's history from which batches it came", async () => {
    answer("GET /api/inventoryItems/40", () =>
      ok([aStockRow({ batch_id: 12, batch_name: "B-2026-11", batch_count: 2 })]),
    );
    answer("GET /api/inventoryItems/40/movements", () => page([]));
    show("/app/inventory?item=40");

    expect(await screen.findByText(/Stowed from/)).toHaveTextContent(
      "Stowed from B-2026-11 and 1 other batch before",
    );
  });

  it("draws what the stock's value is made of", async () => {
    const sums = { rows: 2, pieces: 9, value: "12.5000", lots_without_price: 1 };
    answer("GET /api/preferences", () => ok([{ currency: "EUR" }]));
    answer("GET /api/inventoryItems/charts", () =>
      ok([
        {
          by_type: [{ item_type: "PART", ...sums }],
          by_location: [
            { location_id: 7, location_name: "A-01", locations: 1, ...sums },
            { location_id: null, location_name: null, locations: 4, ...sums },
          ],
          by_age: [{ age: "under 30 days", ...sums }],
          curve: [
            { rows: 0, value: "0.0000" },
            { rows: 1, value: "10.0000" },
            { rows: 2, value: "12.5000" },
          ],
        },
      ]),
    );
    const { user } = show();
    await user.click(await screen.findByRole("radio", { name: "Charts" }));

    const places = within(await screen.findByRole("list", { name: "Value by bin" }));
    expect(places.getByRole("link", { name: "A-01" })).toHaveAttribute(
      "href",
      "/app/inventory-locations?location=7",
    );
    expect(places.getAllByRole("listitem")).toHaveLength(1);
    expect(
      screen.getByText("In 4 other locations: €12.50, 2 rows, 9 pieces, 1 lot has no price."),
    ).toBeInTheDocument();
    expect(
      screen.getByRole("figure", { name: "1 row of 2 make 80 % of the value." }),
    ).toBeInTheDocument();
  });

  it("does not open again what was closed when one goes back", async () => {
    answer("GET /api/inventoryItems/40/movements", () => page([]));
    answer("GET /api/inventoryItems/40", () => ok([aStockRow()]));
    const { user, router } = show();
    await user.click(await screen.findByRole("link", { name: "Brick 2 x 4" }));
    await waitFor(() => expect(router.state.location.search).toBe("?item=40"));

    await user.click(await screen.findByRole("button", { name: "Close" }));
    await act(() => router.navigate(-1));

    expect(router.state.location.search).toBe("");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("opens the history of a row by its name, with the list narrowed as it was", async () => {
    answer("GET /api/inventoryItems/40", () => ok([aStockRow()]));
    answer("GET /api/inventoryItems/40/movements", () => page([]));
    const { user, router } = show("/app/inventory?search=brick");

    await user.click(await screen.findByRole("link", { name: "Brick 2 x 4" }));

    expect(await screen.findByRole("dialog")).toBeInTheDocument();
    expect(router.state.location.search).toBe("?search=brick&item=40");
  });

  it("moves a part of a row, and asks for a reason where there is no room", async () => {
    answer("GET /api/inventoryLocations", () => page([{ id: 8, name: "B-07", item_count: 0 }]));
    answer("POST /api/inventoryItems/move", (_, count) =>
      count === 0
        ? refusal(409, "CAPACITY_EXCEEDED", "B-07 takes 3 more pieces, not 10.")
        : ok([{ act_id: 3, moved: 1, refused: [] }]),
    );
    answer("POST /api/inventoryActs/3/undo", () => ok([{ id: 3, undoneAt: "2026-01-03" }]));
    const { user } = show();
    await screen.findByText("Brick 2 x 4");
    await user.click(screen.getByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Move…" }));

    const dialog = within(await screen.findByRole("dialog", { name: "Move Brick 2 x 4" }));
    await user.type(dialog.getByRole("combobox", { name: /Move to/ }), "B");
    await user.click(await screen.findByRole("option", { name: /B-07/ }));
    const quantity = dialog.getByRole("textbox", { name: "How many" });
    await user.clear(quantity);
    await user.type(quantity, "99");
    expect(await dialog.findByText("There are only 34 here.")).toBeInTheDocument();
    await user.clear(quantity);
    await user.type(quantity, "10");
    await user.click(dialog.getByRole("button", { name: "Move" }));
    expect(await dialog.findByText("B-07 takes 3 more pieces, not 10.")).toBeInTheDocument();
    await user.type(dialog.getByRole("textbox", { name: /Reason/ }), "Lid off");
    await user.click(dialog.getByRole("button", { name: "Move anyway" }));

    expect(await screen.findByText("10 pieces moved to B-07")).toBeInTheDocument();
    expect(sent("POST /api/inventoryItems/move")[1]?.body).toEqual({
      items: [{ id: 40, quantity: 10 }],
      to: 8,
      override_reason: "Lid off",
    });
    await user.click(screen.getAllByRole("button", { name: "Undo" }).at(-1) as HTMLElement);
    await waitFor(() => expect(sent("POST /api/inventoryActs/3/undo")).toHaveLength(1));
  });

  it("shows the ledger of a row at its address", async () => {
    answer("GET /api/inventoryItems/40", () => ok([aStockRow()]));
    answer("GET /api/inventoryItems/40/movements", () =>
      page([
        {
          id: 2,
          delta: -6,
          reason: "edit",
          by_name: "Ann",
          program: "Nightly",
          from_location_name: "A-01",
          to_location_name: null,
          note: "Counted again",
          cause_kind: "person",
          cause_id: null,
          createdAt: "2026-01-03T00:00:00Z",
        },
        {
          id: 1,
          delta: 40,
          reason: "import",
          by_name: "Ann",
          program: "",
          from_location_name: null,
          to_location_name: "A-01",
          note: "",
          cause_kind: "sync",
          cause_id: 5,
          createdAt: "2026-01-02T00:00:00Z",
        },
      ]),
    );
    show("/app/inventory?item=40");

    const drawer = within(await screen.findByRole("dialog", { name: "Brick 2 x 4" }));
    const lines = await drawer.findAllByRole("listitem");
    expect(lines[0]).toHaveTextContent(/^−6Corrected, out of A-01“Counted again”/);
    expect(lines[0]).toHaveTextContent("· Ann, by the token “Nightly”");
    expect(lines[1]).toHaveTextContent(/^\+40Set by a BSX import, in A-01/);
    expect(
      within(lines[1] as HTMLElement).getByRole("link", { name: "the import" }),
    ).toHaveAttribute("href", "/app/inventory?sync=5");
  });

  it("offers the preview that was closed without a decision", async () => {
    answer("GET /api/inventorySyncs", () => page([aSync()]));
    answer("GET /api/inventorySyncs/5", () => ok([aSync()]));
    answer("GET /api/inventorySyncs/5/rows", () => page([aSyncRow()]));
    const { user, router } = show();

    await user.click(await screen.findByRole("button", { name: "Show what it would change" }));

    expect(router.state.location.search).toContain("sync=5");
  });

  it("says nothing of a preview that a newer import has overtaken", async () => {
    answer("GET /api/inventorySyncs", () => page([aSync({ id: 6, state: "applied" })]));
    show();
    await screen.findByText("Brick 2 x 4");
    await waitFor(() => expect(sent("GET /api/inventorySyncs")).toHaveLength(1));

    expect(screen.queryByText("An import waits for your decision")).toBeNull();
  });

  it("takes a file that is dropped on it and opens its preview", async () => {
    answer("POST /api/inventoryItems/sync", () => ok([aSync()]));
    answer("GET /api/inventorySyncs/5", () => ok([aSync()]));
    answer("GET /api/inventorySyncs/5/rows", () => page([aSyncRow()]));
    const { router } = show();
    await screen.findByText("Brick 2 x 4");
    const file = new File(["<BrickStoreXML/>"], "store.bsx");

    fireEvent.drop(screen.getByRole("region", { name: "Inventory" }), {
      dataTransfer: { files: [file], types: ["Files"] },
    });

    await waitFor(() => expect(router.state.location.search).toContain("sync=5"));
    const [upload] = sent("POST /api/inventoryItems/sync");
    expect(upload?.body instanceof FormData && upload.body.get("file")).toBe(file);
  });

  it.each([
    ["orders", "Import its orders", "/app/orders"],
    ["backup", "Restore it", "/app/settings"],
  ])(
    "hands a file of %s to its page, and offers not to send it in vain",
    async (refusedAs, label, path) => {
      answer("POST /api/inventoryItems/sync", () =>
        refusal(400, "UNREADABLE_FILE", "This comes in elsewhere.", {
          data: [{ refused_as: refusedAs }],
        }),
      );
      const { user, router } = show();
      await user.click(await screen.findByRole("button", { name: "Import a file" }));
      const file = new File(["<ORDERS/>"], "orders.xml");
      await user.upload(await screen.findByLabelText(/Drop a file of your store/), file);

      const hand = await screen.findByRole("button", { name: label });
      expect(screen.queryByRole("button", { name: /^Send/ })).toBeNull();
      await user.click(hand);

      expect(router.state.location.pathname).toBe(path);
      expect(router.state.location.state).toEqual({ dropped: file });
    },
  );

  it("offers to send again what had to wait, but not what cannot be read", async () => {
    answer("POST /api/inventoryItems/sync", (_, count) =>
      count === 0
        ? refusal(409, "CONFLICT", "A change of currency is running.")
        : refusal(400, "UNREADABLE_FILE", "This is a picture.", {
            data: [{ refused_as: "not_lots" }],
          }),
    );
    const { user } = show();
    await user.click(await screen.findByRole("button", { name: "Import a file" }));
    const input = await screen.findByLabelText(/Drop a file of your store/);
    await user.upload(input, new File(["x"], "store.bsx"));

    await user.click(await screen.findByRole("button", { name: "Send store.bsx again" }));

    expect(await screen.findByText("This is a picture.")).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Send/ })).toBeNull();
  });

  it("leads to the import that runs already", async () => {
    answer("POST /api/inventoryItems/sync", () =>
      refusal(409, "CONFLICT", "A BSX sync is running already (previewing).", {
        data: [{ sync_id: 5 }],
      }),
    );
    answer("GET /api/inventorySyncs/5", () => ok([aSync()]));
    answer("GET /api/inventorySyncs/5/rows", () => page([aSyncRow()]));
    const { user, router } = show();
    await user.click(await screen.findByRole("button", { name: "Import a file" }));
    const input = await screen.findByLabelText(/Drop a file of your store/);

    await user.upload(input, new File(["<BrickStoreXML/>"], "store.bsx"));

    await waitFor(() => expect(router.state.location.search).toContain("sync=5"));
  });
});
