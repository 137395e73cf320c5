import { isDeepStrictEqual } from "node:util";
import { act, screen, waitFor, within } from "@testing-library/react";
import { aSync } from "@/features/inventory/testing/builders";
import { aLayout } from "@/features/locations/testing/builders";
import { aConnection } from "@/features/marketplace/testing/builders";
import { outbox } from "@/shared/outbox/theOutbox";
import { clientStore } from "@/shared/store/clientStore";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import {
  answer,
  installServer,
  never,
  offline,
  ok,
  page,
  refusal,
  sent,
} from "@/shared/testing/server";
import { JobToasts } from "../jobs/public";
import { aJob } from "../jobs/testing/builders";
import { BatchesPage } from "./BatchesPage";
import { aBatch, anItem } from "./testing/builders";

const stats = {
  ...aBatch().stats,
  total_lots: 3,
  total_items: 9,
  new_lots: 1,
  new_items: 6,
  stowed_lots: 2,
  stowed_items: 3,
};
const batch = aBatch({ batch_item_lot_count: 3, stats });

const nothingDone = { items: [], failed: [], weight_unknown: [], job_id: null };

const colors = [
  { id: 7, name: "Blue", color_html: "#0055BF", part_count: 9 },
  { id: 5, name: "Red", color_html: "#C91A09", part_count: 9 },
];

beforeEach(() => {
  giveElementsASize();
  installServer();
  clientStore.clear("options.showArchivedBatches");
  clientStore.clear("options.batchFilter");
  answer("GET /api/sources", () => page([]));
  answer("GET /api/colors", () => page(colors));
  answer("GET /api/marketplaceConnection", () => ok([aConnection()]));
  answer("GET /api/preferences", () => ok([{ currency: "EUR" }]));
  answer("GET /api/inventorySyncs", () => page([]));
  answer("GET /api/batches", () => page([batch]));
  answer("GET /api/batches/12", () => ok([batch]));
  answer("GET /api/batches/12/activity", () => ok([{ active_seconds: 5400 }]));
  answer("GET /api/batchItems", () => page([anItem()]));
});

describe("BatchesPage", () => {
  it("does not call it none while it cannot know what is archived", async () => {
    answer("GET /api/batches", ({ query }) =>
      query.get("is_archived") === "true" ? refusal(400, "X", "Not today.") : page([]),
    );
    renderPage(<BatchesPage />, { at: "/app/batches" });

    expect(await screen.findByText("Not today.")).toBeInTheDocument();
    expect(screen.queryByText(/^No batches/)).toBeNull();
  });

  it("says that the sources could not be loaded, and loads them again", async () => {
    answer("GET /api/sources", (_, count) =>
      count === 0 ? refusal(400, "X", "Not today.") : page([]),
    );
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches" });

    expect(
      await screen.findByText("Your sources could not be loaded. Not today."),
    ).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Try again" }));

    await waitFor(() => expect(screen.queryByText(/could not be loaded/)).toBeNull());
  });

  it("hides archived batches until they are asked for, and remembers it", async () => {
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches" });
    await screen.findByRole("link", { name: "Flea market" });
    expect(sent("GET /api/batches")[0]?.query.get("is_archived")).toBe("false");

    answer("GET /api/batches", () =>
      page([batch, aBatch({ id: 13, name: "Old", is_archived: true })]),
    );
    await user.click(screen.getByRole("switch", { name: "Show archived batches" }));

    expect(await screen.findByText("archived")).toBeInTheDocument();
    expect(sent("GET /api/batches").at(-1)?.query.get("is_archived")).toBe("all");
    expect(localStorage.getItem("bb_setting_showArchivedBatches")).toBe("true");
  });

  it("says what works on a batch", async () => {
    answer("GET /api/batches", () => page([{ ...batch, isExporting: true }]));
    renderPage(<BatchesPage />, { at: "/app/batches" });

    expect(await screen.findByText("Exporting")).toBeInTheDocument();
  });

  it("draws the value of the batches that the table shows over their cost", async () => {
    const size = { x: 0, y: 0, top: 0, left: 0, width: 600, height: 300 } as DOMRect;
    jest.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue(size);
    const won = aBatch({ id: 13, name: "Won", cost_total: "10.0000", total_value: "40.0000" });
    const lost = aBatch({ id: 14, name: "Lost", cost_total: "20.0000", total_value: "5.0000" });
    answer("GET /api/batches", () => page([batch, won, lost], 3));
    const { user, router } = renderPage(<BatchesPage />, { at: "/app/batches?search=lot" });

    await user.click(await screen.findByRole("button", { name: "Value over cost" }));

    const chart = await screen.findByRole("figure", { name: /worth over what they cost/ });
    expect(screen.getByText("1 without a cost are not drawn.")).toBeInTheDocument();
    expect(screen.getByText("1 worth at least their cost")).toBeInTheDocument();
    const asked = sent("GET /api/batches").find(({ query }) => query.get("page_size") === "500");
    expect(asked?.query.get("search")).toBe("lot");

    const [dot] = chart.querySelectorAll(".recharts-scatter-symbol");
    await user.hover(dot as Element);
    expect(await within(chart).findByText("4×")).toBeInTheDocument();
    await user.click(dot as Element);
    expect(router.state.location.search).toBe("?batch=13");
    jest.restoreAllMocks();
  });

  it("makes a batch and opens it", async () => {
    answer("POST /api/batches", () => ok([batch]));
    const { user, router } = renderPage(<BatchesPage />, { at: "/app/batches" });

    await user.click(await screen.findByRole("button", { name: "New batch" }));
    await user.type(await screen.findByRole("textbox", { name: /Name/ }), "Flea market");
    await user.type(screen.getByRole("textbox", { name: /What it cost/ }), "12,5");
    await user.type(screen.getByRole("textbox", { name: /Not LEGO/ }), "40");
    await user.click(screen.getByRole("button", { name: "Make batch" }));

    await waitFor(() => expect(router.state.location.search).toBe("?batch=12"));
    expect(sent("POST /api/batches")[0]?.body).toMatchObject({
      name: "Flea market",
      cost_total: "12.5",
      foreign_count: 40,
      source_id: null,
    });

    window.history.replaceState(null, "", "?batch=12");
    answer("DELETE /api/batches/12", () => ok([]));
    const notices = within(screen.getByRole("region", { name: "Notifications" }));
    await user.click(await notices.findByRole("button", { name: "Undo" }));
    await screen.findAllByText("Undone: Flea market made");
    await waitFor(() => expect(router.state.location.search).toBe(""));
    expect(sent("DELETE /api/batches/12")).toHaveLength(1);
  });

  it("is renamed in its cell", async () => {
    let stored = batch;
    answer("GET /api/batches", () => page([stored]));
    answer("PATCH /api/batches/12", () => {
      stored = { ...batch, name: "Attic" };
      return ok([stored]);
    });
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches" });
    const cell = (await screen.findByRole("link", { name: "Flea market" })).closest(
      "[role=gridcell]",
    );
    await waitFor(() => expect(screen.getByRole("grid")).not.toHaveAttribute("aria-readonly"));
    if (cell) await user.dblClick(cell);

    await user.clear(await screen.findByRole("textbox", { name: "Name" }));
    await user.keyboard("Attic{Enter}");

    await waitFor(() =>
      expect(sent("PATCH /api/batches/12")[0]?.body).toMatchObject({ name: "Attic" }),
    );
    expect(screen.getByRole("link", { name: "Attic" })).toBeInTheDocument();
  });

  it("writes the file of a batch that its menu asks for", async () => {
    const made = { id: 4, job_id: "j", state: "queued", failed: [], row_count: 0, file_url: null };
    answer("POST /api/exports", () => ok([made]));
    answer("GET /api/jobs/j", never);
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches" });
    await screen.findByRole("link", { name: "Flea market" });

    await user.click(screen.getByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Export BSX" }));

    await waitFor(() =>
      expect(sent("POST /api/exports")[0]?.body).toMatchObject({
        kind: "bsx",
        scope: "batch",
        batch_id: 12,
        options: { state: "all" },
      }),
    );
    expect(sent("POST /api/exports")).toHaveLength(1);
  });

  it("asks for the typed name before a batch with items is deleted", async () => {
    answer("DELETE /api/batches/12", () => ok([]));
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches" });
    await screen.findByRole("link", { name: "Flea market" });
    await user.click(screen.getByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete" }));

    const dialog = within(await screen.findByRole("dialog", { name: "Delete Flea market?" }));
    const confirm = dialog.getByRole("button", { name: "Delete batch" });
    expect(confirm).toHaveAttribute("aria-disabled", "true");
    await user.type(dialog.getByRole("textbox", { name: /to confirm/ }), "Flea market");
    await user.click(confirm);

    await waitFor(() => expect(sent("DELETE /api/batches/12")).toHaveLength(1));
    expect(sent("DELETE /api/batches/12")[0]?.query.get("name")).toBe("Flea market");
  });
});

describe("a batch", () => {
  it("that is not there says so, with a way out and nothing to try again", async () => {
    const told = "This does not exist. It may have been deleted.";
    answer("GET /api/batches/12", () => refusal(404, "NOT_FOUND", told));
    renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });

    expect(await screen.findByText(told)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "All batches" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });

  it("shows its items by state, all of them at first", async () => {
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    const states = await screen.findByRole("group", { name: "Show items" });
    const names = within(states)
      .getAllByRole("radio")
      .map((radio) => radio.closest("label")?.textContent);

    expect(names).toEqual([
      "All39 pieces",
      "Newnext: put away16 pieces",
      "Stowed23 pieces",
      "Listed00 pieces",
    ]);
    expect(within(states).getByRole("radio", { name: /All/ })).toBeChecked();
    await waitFor(() => expect(sent("GET /api/batchItems")[0]?.query.get("state")).toBe("all"));

    await user.click(within(states).getByRole("radio", { name: /Stowed/ }));

    await waitFor(() =>
      expect(sent("GET /api/batchItems").at(-1)?.query.get("state")).toBe("stowed"),
    );
    expect(localStorage.getItem("bb_setting_batchFilter")).toBe('"stowed"');
  });

  it("shows all of its items, whatever was chosen in another one", async () => {
    clientStore.set("options.batchFilter", "listed");
    clientStore.set("options.batchFilterOf", 13);
    renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });

    const states = await screen.findByRole("group", { name: "Show items" });

    expect(within(states).getByRole("radio", { name: /All/ })).toBeChecked();
    await waitFor(() => expect(sent("GET /api/batchItems")[0]?.query.get("state")).toBe("all"));
  });

  it("groups its items under a heading for each state, open and to fold", async () => {
    const sums = { rows: 2, lots: 2, pieces: 6, value: "1.2000", lots_without_price: 0 };
    answer("GET /api/batchItems/sums", ({ query }) =>
      ok([query.get("state") === "listed" ? { ...sums, rows: 0 } : sums]),
    );
    answer("GET /api/batchItems", ({ query }) =>
      page([anItem({ id: 1, item_name: `Part ${query.get("state")}` })]),
    );
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12&group=state" });

    expect(await screen.findByText("Part stowed")).toBeVisible();
    expect(await screen.findByText("Part new")).toBeVisible();
    const headings = screen.getAllByRole("button", { expanded: true });
    expect(headings.map((heading) => heading.textContent)).toEqual([
      "To put away2 lots6 pieces1.20",
      "Stowed2 lots6 pieces1.20",
    ]);

    await user.click(screen.getByRole("button", { name: /^To put away/ }));

    expect(screen.queryByText("Part new")).toBeNull();
  });

  it("is archived from its own page, and brought back from the toast", async () => {
    answer("POST /api/batches/12/archive", () => ok([aBatch({ is_archived: true })]));
    answer("POST /api/batches/12/restore", () => ok([aBatch()]));
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });

    await user.click(await screen.findByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Archive" }));
    const toasts = within(screen.getByRole("region", { name: "Notifications" }));
    await user.click(await toasts.findByRole("button", { name: "Undo" }));

    await waitFor(() => expect(sent("POST /api/batches/12/restore")).toHaveLength(1));
  });

  it("is shown whole, whatever state was looked at in another one", async () => {
    answer("GET /api/batches/13", () => ok([aBatch({ id: 13, name: "Loft" })]));
    const { user, router } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    const state = (name: RegExp) => screen.findByRole("radio", { name });
    await user.click(await state(/Listed/));
    expect(await state(/Listed/)).toBeChecked();

    await act(() => router.navigate("/app/batches?batch=13"));
    await screen.findByText("Loft");
    expect(await state(/^All/)).toBeChecked();
    await waitFor(() => expect(sent("GET /api/batchItems").at(-1)?.query.get("state")).toBe("all"));
    await act(() => router.navigate("/app/batches?batch=12"));

    await waitFor(async () => expect(await state(/Listed/)).toBeChecked());
  });

  it("tells the reference price of each item and how far it is from it", async () => {
    answer("GET /api/batchItems", () =>
      page([
        anItem({ price: "0.1500", reference_price: "0.2000", reference_basis: "sold" }),
        anItem({ id: 102, price: "0.9000", reference_price: "0.2000", reference_basis: "asked" }),
      ]),
    );
    giveElementsASize(3000);
    renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });

    expect(await screen.findByText("−25 %")).toBeInTheDocument();
    expect(screen.getByText("+350 %")).toBeInTheDocument();
    expect(screen.getByText("0.20 asked")).toBeInTheDocument();
  });

  it("tells how long it was worked on, and what was added last", async () => {
    clientStore.set("lastBatchItemAdded", {
      batchId: 12,
      batchName: "Flea market",
      totalItemsAdded: 9,
      quantity: 3,
      itemName: "Brick 2 x 4",
      itemNumber: "3001",
      itemType: "PART",
      color: "Red",
      timestamp: "2026-01-02T03:04:05Z",
    });
    renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });

    const figures = await screen.findByRole("region", { name: "Figures of the batch" });
    await waitFor(() => expect(figures).toHaveTextContent("Active time1 h 30 min"));
    expect(figures).toHaveTextContent("Last added: 3 × 3001 Brick 2 x 4, Red");
    act(() => clientStore.clear("lastBatchItemAdded"));
    expect(figures).not.toHaveTextContent("Last added");
  });

  it("gives an item another colour, and says where the catalogue does not know it", async () => {
    let stored = anItem();
    answer("GET /api/batchItems", () => page([stored]));
    answer("PATCH /api/batchItems/101", () => {
      stored = anItem({ color_id: 7, color_name: "Blue", color_html: "#0055BF" });
      return ok([stored]);
    });
    answer("GET /api/catalogLots", () => page([{ color_id: 5, is_known: true }]));
    giveElementsASize(2400);
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    const cell = (await screen.findByText("Red")).closest("[role=gridcell]") as HTMLElement;
    await waitFor(() => expect(screen.getByRole("grid")).not.toHaveAttribute("aria-readonly"));

    await waitFor(async () => {
      await user.dblClick(cell);
      expect(screen.getByRole("combobox", { name: "Colour" })).toBeInTheDocument();
    });
    await user.selectOptions(screen.getByRole("combobox", { name: "Colour" }), "Blue");
    await user.keyboard("{Enter}");

    expect(await screen.findByText("3001 in Blue is not in the catalogue")).toBeInTheDocument();
    expect(sent("PATCH /api/batchItems/101")[0]?.body).toEqual({
      color_id: 7,
      updatedAt: "2026-01-02T03:04:05Z",
    });
  });

  it("takes the lots of a file in", async () => {
    const job = { id: "j", kind: "batches.import_bsx", state: "queued" };
    answer("POST /api/batches/importBsx", () => ok([job]));
    answer("GET /api/jobs/j", never);
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await user.click(await screen.findByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Import a file into it…" }));
    const dialog = await screen.findByRole("dialog", { name: "Import a file into Flea market" });
    expect(within(dialog).queryByRole("textbox", { name: "Name of the batch" })).toBeNull();

    const file = new File(["<BrickStoreXML/>"], "lot.bsx");
    await user.upload(within(dialog).getByLabelText(/Drop a file/), file);
    await user.click(within(dialog).getByRole("button", { name: "Import" }));

    expect(await screen.findByRole("dialog", { name: "Reading the file" })).toBeVisible();
    const { body } = sent("POST /api/batches/importBsx")[0] ?? {};
    expect((body as FormData).get("into")).toBe("12");
    expect((body as FormData).get("shows_warnings")).toBe("true");
    expect((body as FormData).get("several_locations")).toBe("ask");
    expect((body as FormData).has("consolidate")).toBe(false);
  });

  it("keeps a file without a connection, and sends it later as the same import", async () => {
    const path = "POST /api/batches/importBsx";
    answer(path, offline);
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await user.click(await screen.findByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Import a file into it…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.upload(dialog.getByLabelText(/Drop a file/), new File(["<X/>"], "lot.bsx"));

    await user.click(dialog.getByRole("button", { name: "Import" }));

    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(outbox.store.getState().requests).toMatchObject([{ words: "Send lot.bsx" }]);
    answer(path, () => refusal(400, "UNREADABLE_FILE", "This is not a BSX file."));
    act(outbox.tryNow);
    await waitFor(() => expect(outbox.store.getState().requests[0]?.refusal).not.toBeNull());
    const keys = sent(path).map(({ headers }) => headers["Idempotency-Key"]);
    expect(new Set(keys).size).toBe(1);
  });

  it("consolidates what a file brings only where that is chosen, and undoes all of it", async () => {
    const job = { id: "j", kind: "batches.import_bsx", state: "succeeded", failed: [] };
    const result = { sync_id: 5, batch_id: 12, lots: 2, consolidated: 1 };
    answer("POST /api/batches/importBsx", () => ok([job]));
    answer("GET /api/jobs/j", () => ok([{ ...job, failed_count: 0, result }]));
    answer("POST /api/inventorySyncs/5/undo", () => ok([aSync({ id: 5, state: "undoing" })]));
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await user.click(await screen.findByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Import a file into it…" }));
    const dialog = within(await screen.findByRole("dialog"));
    const wish = dialog.getByRole("checkbox", { name: /Consolidate with equal new lots/ });
    expect(wish).not.toBeChecked();

    await user.upload(dialog.getByLabelText(/Drop a file/), new File(["<X/>"], "lot.bsx"));
    await user.click(wish);
    await user.click(dialog.getByRole("button", { name: "Import" }));

    expect(await screen.findByText("Batch imported: 2 lots.")).toBeVisible();
    const toast = within(screen.getByRole("region", { name: "Notifications" }));
    const { body } = sent("POST /api/batches/importBsx")[0] ?? {};
    expect((body as FormData).get("consolidate")).toBe("true");
    await user.click(toast.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(sent("POST /api/inventorySyncs/5/undo")).toHaveLength(1));
  });

  it("shows what a file asks before any of it is imported", async () => {
    const job = { id: "j", kind: "batches.import_bsx", state: "succeeded", failed: [] };
    answer("POST /api/batches/importBsx", () => ok([job]));
    answer("GET /api/jobs/j", () => ok([{ ...job, failed_count: 0, result: { sync_id: 5 } }]));
    const asks = aSync({
      id: 5,
      target: "batch",
      currency: "USD",
      warnings: [
        {
          code: "currency_differs",
          message: "The file is in USD, your store in EUR.",
          file_currency: "USD",
          store_currency: "EUR",
        },
      ],
    });
    const batch = { name: "lot", into: 12, consolidate: false };
    answer("GET /api/inventorySyncs/5", () =>
      ok([{ ...asks, options: { ...asks.options, batch } }]),
    );
    answer("GET /api/inventorySyncs/5/rows", () => page([]));
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await user.click(await screen.findByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Import a file into it…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.upload(dialog.getByLabelText(/Drop a file/), new File(["<X/>"], "lot.bsx"));
    await user.click(dialog.getByRole("button", { name: "Import" }));

    const preview = within(await screen.findByRole("dialog", { name: /lots? for your batch$/ }));
    expect(preview.getByText(/10 lots, 40 pieces worth/)).toBeVisible();
    expect(preview.getByText("The file is in USD, your store in EUR")).toBeVisible();
    expect(preview.getByRole("button", { name: "Import 10 lots" })).toBeVisible();
  });

  it("draws charts of its value and of its prices", async () => {
    answer("GET /api/batches/12/charts", () =>
      ok([
        {
          by_color: [
            {
              color_name: "Red",
              color_html: "#B30006",
              lots: 1,
              pieces: 6,
              value: "12.5000",
              lots_without_price: 2,
            },
          ],
          by_type: [
            { item_type: "PART", lots: 1, pieces: 6, value: "12.5000", lots_without_price: 0 },
          ],
          deviations: [
            { from_percent: null, below_percent: -50, lots: 0 },
            { from_percent: -50, below_percent: 50, lots: 4 },
            { from_percent: 50, below_percent: null, lots: 1 },
          ],
          unpriced: 0,
          unknown: 2,
          figuresAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
        },
      ]),
    );
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await user.click(await screen.findByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Charts" }));

    const dialog = within(await screen.findByRole("dialog", { name: "Charts of Flea market" }));
    const colors = within(await dialog.findByRole("region", { name: "Value by colour" }));
    expect(colors.getByText("Red").closest("li")).toHaveTextContent(
      "€12.506 pieces, 2 lots have no price",
    );
    const prices = within(dialog.getByRole("region", { name: "Prices beside the market's" }));
    expect(prices.getAllByRole("listitem").map((bar) => bar.textContent)).toEqual([
      "0under −50 %",
      "4−50 to +50 %",
      "1from +50 %",
    ]);
    expect(prices.getByText(/reference price; prices from 3 days ago/)).toBeVisible();
    expect(prices.getByText("Not in it: 2 without a reference price.")).toBeInTheDocument();
  });

  it("has a label to print, from its page and from the list", async () => {
    answer("GET /api/labelLayouts", () => ok([aLayout()]));
    answer("POST /api/batches/labels", () =>
      ok([{ count: 1, names: ["Flea market"], pages: 1, unknown_characters: [] }]),
    );
    const { user, router } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await user.click(await screen.findByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Print its label…" }));
    await screen.findByLabelText("Paper");

    await act(() => router.navigate("/app/batches"));
    await user.click(await screen.findByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Print its label…" }));

    await screen.findByLabelText("Paper");
    expect(screen.getByRole("dialog", { name: "Labels for 1 batch" })).toBeInTheDocument();
    expect(sent("POST /api/batches/labels")[0]?.body).toMatchObject({ ids: [12], dry_run: true });
  });

  it("is read-only while archived, until it is restored", async () => {
    let archived = true;
    answer("GET /api/batches/12", () => ok([{ ...batch, is_archived: archived }]));
    answer("POST /api/batches/12/restore", () => {
      archived = false;
      return ok([batch]);
    });
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    const restore = await screen.findByRole("button", { name: "Restore" });
    expect(screen.queryByRole("link", { name: /^Put away/ })).toBeNull();
    expect(screen.queryByRole("checkbox", { name: "Select row" })).toBeNull();

    await user.click(restore);

    expect(await screen.findByRole("checkbox", { name: "Select row" })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Put away 1 lot" })).toBeInTheDocument();
  });

  it("removes a new item at once and brings it back with everything it had", async () => {
    const bulk = "POST /api/batchItems/bulk";
    const item = anItem({ comments: "clean", tq1: 10, tp1: "0.1000" });
    answer("GET /api/batchItems", () => page([item]));
    answer(bulk, ({ body }) =>
      ok([
        "delete" in (body as object)
          ? { action: "delete", index: 0, ok: true, id: 101, row: null }
          : { action: "restore", index: 0, ok: true, id: 101, row: item },
      ]),
    );
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await screen.findByText("Brick 2 x 4");

    await user.click(screen.getByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Remove" }));
    await waitFor(() => expect(sent(bulk)[0]?.body).toMatchObject({ delete: [101] }));
    await screen.findByText("3001 Red deleted");
    const notes = within(screen.getByRole("region", { name: "Notifications" }));
    await user.click(notes.getByRole("button", { name: "Undo" }));

    await waitFor(() => expect(sent(bulk)[1]?.body).toEqual({ restore: [101], atomic: false }));
  });

  it("asks before what is stowed is taken out of stock", async () => {
    answer("GET /api/batchItems", () =>
      page([anItem({ is_stowed: true, state: "stowed", user_inventory_item_id: 3 })]),
    );
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await screen.findByText("Brick 2 x 4");

    await user.click(screen.getByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Take out of stock…" }));

    expect(await screen.findByRole("dialog", { name: "Remove 1 lot?" })).toBeInTheDocument();
    expect(sent("POST /api/batchItems/bulk")).toHaveLength(0);
  });

  it("deletes what is stowed with its stock or without, and tells what was refused", async () => {
    const item = anItem({ is_stowed: true, state: "stowed", user_inventory_item_id: 3 });
    answer("GET /api/batchItems", () => page([item]));
    answer("POST /api/batches/12/remove", () =>
      ok([
        { ...nothingDone, failed: [{ id: 101, name: "3001 Red", reason: "A-01 holds 2 of 6." }] },
      ]),
    );
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await screen.findByText("Brick 2 x 4");
    await user.click(screen.getByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Take out of stock…" }));

    const dialog = within(await screen.findByRole("dialog", { name: "Remove 1 lot?" }));
    await user.selectOptions(dialog.getByRole("combobox"), "Out of stock, and deleted here");
    await user.click(dialog.getByRole("button", { name: "Remove 1 lot" }));

    const refused = await screen.findByRole("dialog", { name: "Remove: 0 ok, 1 failed" });
    expect(refused).toHaveTextContent("3001 Red");
    expect(refused).toHaveTextContent("A-01 holds 2 of 6.");
    expect(sent("POST /api/batches/12/remove")[0]?.body).toEqual({ items: [101], stock: "out" });
  });

  describe("with nothing selected", () => {
    const item = anItem({ is_stowed: true, state: "stowed", user_inventory_item_id: 3 });
    const done = { ...nothingDone, items: [101], act_id: 5 };

    beforeEach(() => {
      answer("GET /api/batchItems", () => page([item]));
      answer("POST /api/batches/12/remove", () => ok([done]));
      answer("POST /api/batches/12/markListed", () => ok([done]));
      answer("POST /api/batches/12/undo", () => ok([{ id: 5 }]));
    });

    it("says how many lots it means and asks in words; the toast takes it back", async () => {
      const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
      await screen.findByText("Brick 2 x 4");

      await user.click(screen.getByRole("button", { name: "More" }));
      await user.click(await screen.findByRole("menuitem", { name: /^Remove all [\d,]+ lots…$/ }));
      const dialog = within(
        await screen.findByRole("dialog", { name: /^Remove all [\d,]+ lots\?$/ }),
      );
      expect(sent("POST /api/batches/12/remove")).toHaveLength(0);
      await user.click(dialog.getByRole("button", { name: /^Remove [\d,]+ lots$/ }));
      await screen.findByText("1 lot removed");
      const notes = within(screen.getByRole("region", { name: "Notifications" }));
      await user.click(notes.getByRole("button", { name: "Undo" }));

      expect(await screen.findByText("Undone: 1 lot removed")).toBeInTheDocument();
      expect(sent("POST /api/batches/12/undo").map(({ body }) => body)).toEqual([{ act_id: 5 }]);
    });

    it("takes what was marked back by Ctrl+Z, once", async () => {
      const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
      await screen.findByText("Brick 2 x 4");

      await user.click(screen.getByRole("button", { name: "More" }));
      await user.click(
        await screen.findByRole("menuitem", { name: /^Mark [\d,]+ lots? as listed$/ }),
      );
      await screen.findByText("1 lot marked as listed");
      await user.click(screen.getByText("Brick 2 x 4"));
      await user.keyboard("{Control>}zz{/Control}");

      await screen.findByText("Undone: 1 lot marked as listed");
      expect(sent("POST /api/batches/12/undo").map(({ body }) => body)).toEqual([{ act_id: 5 }]);
    });

    it("keeps what the server does not take back for another try", async () => {
      answer("POST /api/batches/12/undo", () =>
        refusal(409, "CONFLICT", "2 items were changed since, so nothing was undone."),
      );
      const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
      await screen.findByText("Brick 2 x 4");

      await user.click(screen.getByRole("button", { name: "More" }));
      await user.click(
        await screen.findByRole("menuitem", { name: /^Mark [\d,]+ lots? as listed$/ }),
      );
      await screen.findByText("1 lot marked as listed");
      const notes = within(screen.getByRole("region", { name: "Notifications" }));
      await user.click(notes.getByRole("button", { name: "Undo" }));

      expect(
        await screen.findByText(/^Not undone: 2 items were changed since/),
      ).toBeInTheDocument();
    });
  });

  it("takes stowing and other changes of rows back by Ctrl+Z, the last one first", async () => {
    answer("GET /api/batchItems", () => page([anItem()]));
    answer("POST /api/batches/12/stow", () => ok([{ ...nothingDone, items: [101], act_id: 8 }]));
    answer("POST /api/batchItems/bulk", () => ok([{ ok: true, id: 101, act_id: 9 }]));
    answer("POST /api/batches/12/undo", () => ok([{}]));
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await screen.findByText("Brick 2 x 4");

    await user.click(screen.getByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Stow…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Stow 1 lot" }));
    await user.click(dialog.getByRole("button", { name: "Stow" }));
    await screen.findByText("1 lot stowed");
    await user.click(screen.getByRole("checkbox", { name: "Select row" }));
    await user.click(screen.getByRole("button", { name: "Change" }));
    await user.click(await screen.findByRole("menuitem", { name: "Condition: Used" }));
    await screen.findByText("Condition of 1 lot changed");
    expect(sent("POST /api/batchItems/bulk")[0]?.body).toEqual({
      ids: [101],
      set: { condition: "U" },
      atomic: false,
    });
    await user.click(screen.getByText("Brick 2 x 4"));
    await user.keyboard("{Control>}zz{/Control}");

    await screen.findByText("Undone: 1 lot stowed");
    expect(sent("POST /api/batches/12/undo").map(({ body }) => body)).toEqual([
      { act_id: 9 },
      { act_id: 8 },
    ]);
  });

  it("opens what a job of 2,000 lots refused as it does for two", async () => {
    answer("GET /api/batchItems", () => page([anItem()]));
    answer("POST /api/batches/12/stow", () => ok([{ ...nothingDone, job_id: "j1" }]));
    answer("GET /api/jobs/j1", () =>
      ok([
        aJob({
          id: "j1",
          kind: "batches.stow_items",
          state: "succeeded",
          result: { batch_id: 12, item_count: 1, failed_count: 1999 },
          failed: [{ id: 101, name: "3001 Red", reason: "A-01 is marked full." }],
          failed_count: 1999,
        }),
      ]),
    );
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await screen.findByText("Brick 2 x 4");

    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: /^Record \d+ lots? as stowed/ }));
    const dialog = within(await screen.findByRole("dialog", { name: /^Stow/ }));
    await user.click(dialog.getByRole("button", { name: "Stow" }));

    const refused = await screen.findByRole("dialog", { name: "Stow: 1 ok, 1,999 failed" });
    expect(refused).toHaveTextContent("A-01 is marked full.");
    await user.click(within(refused).getByRole("button", { name: "Choose another bin" }));
    await user.click(await screen.findByRole("radio", { name: "Planned bins" }));
    await user.click(screen.getByRole("button", { name: "Stow" }));

    await waitFor(() =>
      expect(sent("POST /api/batches/12/stow").at(-1)?.body).toEqual({
        items: "all",
        refused_by: "j1",
      }),
    );
  });

  it("takes what a job has stowed back by Ctrl+Z, once", async () => {
    answer("POST /api/batches/12/stow", () => ok([{ ...nothingDone, job_id: "j1" }]));
    answer("POST /api/batches/12/undo", () => ok([{}]));
    const result = { batch_id: 12, item_count: 1_500, failed_count: 0, act_ids: [8] };
    answer("GET /api/jobs", () => page([]));
    answer("GET /api/jobs/j1", () =>
      ok([aJob({ id: "j1", kind: "batches.stow_items", state: "succeeded", result })]),
    );
    const { user } = renderPage(
      <>
        <BatchesPage />
        <JobToasts />
      </>,
      { at: "/app/batches?batch=12" },
    );
    await screen.findByText("Brick 2 x 4");

    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: /^Record \d+ lots? as stowed/ }));
    const dialog = within(await screen.findByRole("dialog", { name: /^Stow/ }));
    await user.click(dialog.getByRole("button", { name: "Stow" }));
    expect(await screen.findByText("Stowed: 1,500 lots.")).toBeInTheDocument();
    await user.click(screen.getByText("Brick 2 x 4"));
    await user.keyboard("{Control>}zz{/Control}");

    await screen.findByText("Undone: Stowed: 1,500 lots.");
    const undone = sent("POST /api/batches/12/undo").map(({ body }) => body);
    // The second press takes back what came before it, if anything.
    expect(undone.filter((body) => isDeepStrictEqual(body, { act_id: 8 }))).toHaveLength(1);
  });

  it("tells which items failed, and why", async () => {
    answer("GET /api/batchItems", () => page([anItem({ failure: "A-01 is full." })]));
    renderPage(<BatchesPage />, { at: "/app/batches?batch=12&failed=true" });

    expect((await screen.findByText("Failed", { selector: "span" })).parentElement).toHaveAttribute(
      "title",
      "A-01 is full.",
    );
    expect(sent("GET /api/batchItems")[0]?.query.get("failed")).toBe("true");
  });

  it("says that it is worked on before the server has answered", async () => {
    answer("POST /api/batches/12/stow", never);
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await screen.findByText("Brick 2 x 4");
    expect(screen.queryByText("Stowing")).toBeNull();

    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: /^Record \d+ lots? as stowed/ }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Stow" }));

    expect(await screen.findByText("Stowing")).toBeInTheDocument();
    expect(screen.getByText("Stowing…")).toBeInTheDocument();
  });

  it("takes the listed mark off an item again", async () => {
    const mark = "POST /api/batches/12/markListed";
    answer(mark, () =>
      ok([{ items: [101], failed: [], weight_unknown: [], job_id: null, act_id: 7 }]),
    );
    answer("GET /api/batchItems", () =>
      page([anItem({ is_stowed: true, is_listed: true, state: "listed" })]),
    );
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await screen.findByText("Brick 2 x 4");

    await user.click(screen.getByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Unmark as listed" }));

    expect(await screen.findByText("1 lot no longer marked as listed")).toBeInTheDocument();
    expect(sent(mark)[0]?.body).toEqual({ items: [101], listed: false });
  });

  it("has its items as they were when a request failed", async () => {
    answer("POST /api/batches/12/stow", () => refusal(403, "PERMISSION_DENIED", "Not now"));
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await screen.findByText("Brick 2 x 4");

    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: /^Record \d+ lots? as stowed/ }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Stow" }));

    expect(await screen.findByText("Not now")).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText("Stowing…")).toBeNull());
    expect(screen.queryByText("Stowing")).toBeNull();
  });

  it("opens the walk at its own address", async () => {
    renderPage(<BatchesPage />, { at: "/app/batches?batch=12&walk=1" });

    expect(await screen.findByRole("heading", { name: /^Put away: / })).toBeInTheDocument();
  });

  it("carries the mark of the export button, which leaves the bar's menus open", async () => {
    renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });

    expect(await screen.findByRole("button", { name: "Export items" })).toHaveAttribute(
      "data-export-batch-items",
    );
  });
});
