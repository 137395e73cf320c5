import { screen, waitFor, within } from "@testing-library/react";
import { clientStore } from "@/shared/store/clientStore";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { InventoryPage } from "../InventoryPage";
import { aStockRow } from "../testing/builders";

const inA = aStockRow({ id: 40, quantity: 30, location_name: "A-01" });
const inB = aStockRow({
  id: 41,
  quantity: 10,
  price: "0.0000",
  location_id: 8,
  location_name: "B-02",
});

beforeEach(() => {
  giveElementsASize(1600);
  installServer();
  clientStore.clear("options.showZeroQuantity");
  clientStore.clear("options.showUnconsolidated");
  answer("GET /api/inventoryItems", () => page([inA, inB], 2));
  answer("GET /api/inventorySyncs", () => page([]));
  answer("POST /api/inventoryItems/consolidate", ({ body }) => {
    const asked = body as { dry_run?: boolean; chosen: number[] };
    const target = asked.chosen.includes(41) ? inB : inA;
    return ok([
      {
        dry_run: asked.dry_run === true,
        act_id: asked.dry_run ? null : 9,
        group_count: 1,
        row_count: 2,
        groups: asked.dry_run
          ? [
              {
                target,
                sources: [target === inA ? inB : inA],
                quantity: 40,
                price: "0.1200",
                changes: { comments: "clean" },
                unpriced: 1,
                code: null,
                message: null,
              },
            ]
          : [],
        mark: "2:81:now",
        refused: [],
      },
    ]);
  });
});

const show = (at = "/app/inventory") => renderPage(<InventoryPage />, { at });
const bodies = () => sent("POST /api/inventoryItems/consolidate").map(({ body }) => body);

async function consolidateSelected() {
  const { user } = show();
  await screen.findAllByText("Brick 2 x 4");
  await user.click(screen.getByRole("checkbox", { name: /Select all/ }));
  await user.click(await screen.findByRole("button", { name: "Consolidate…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Consolidate" }));
  await dialog.findByText(/→ 40 at/);
  return { user, dialog };
}

describe("ConsolidateDialog", () => {
  it("says so where nothing lies in two rows", async () => {
    clientStore.set("options.showUnconsolidated", true);
    answer("GET /api/inventoryItems", () => page([]));
    answer("POST /api/inventoryItems/consolidate", () =>
      refusal(400, "VALIDATION_ERROR", "Refused.", { fields: { filter: ["nothing matches"] } }),
    );
    const { user } = show();

    await user.click(await screen.findByRole("button", { name: "Consolidate all…" }));

    const dialog = within(await screen.findByRole("dialog", { name: "Consolidate" }));
    expect(await dialog.findByText("Nothing to consolidate")).toBeInTheDocument();
    expect(dialog.queryByRole("button", { name: "Try again" })).toBeNull();
  });

  it("shows what would become of the chosen rows before anything is done", async () => {
    const { dialog } = await consolidateSelected();

    expect(dialog.getByText("changes: Comments")).toBeInTheDocument();
    expect(dialog.getByText("1 row without a price beside priced ones")).toBeInTheDocument();
    expect(bodies()).toEqual([
      {
        ids: [40, 41],
        target: "fullest",
        chosen: [],
        modes: {},
        count_unpriced: false,
        emptied: "zero",
        dry_run: true,
      },
    ]);
  });

  it("does what was shown, into the row that was chosen, and offers to undo it", async () => {
    answer("POST /api/inventoryActs/9/undo", () => ok([{ id: 9 }]));
    const { user, dialog } = await consolidateSelected();

    await user.click(dialog.getByRole("radio", { name: "Into B-02, 10 pieces" }));
    await waitFor(() =>
      expect(dialog.getByRole("radio", { name: "Into B-02, 10 pieces" })).toBeChecked(),
    );
    await user.selectOptions(dialog.getByLabelText("Rows that are emptied"), "Are deleted");
    const act = await dialog.findByRole("button", { name: "Consolidate 1 lot" });
    await waitFor(() => expect(act).not.toHaveAttribute("aria-disabled"));
    await user.click(act);

    expect(await screen.findByText("1 lot consolidated")).toBeInTheDocument();
    expect(bodies().at(-1)).toEqual({
      ids: [40, 41],
      target: "fullest",
      chosen: [41],
      modes: {},
      count_unpriced: false,
      emptied: "delete",
      mark: "2:81:now",
    });
    await user.click(screen.getAllByRole("button", { name: "Undo" }).at(-1) as HTMLElement);
    await waitFor(() => expect(sent("POST /api/inventoryActs/9/undo")).toHaveLength(1));
  });

  it("lets no price count as 0 only where a person says so", async () => {
    const { user, dialog } = await consolidateSelected();

    await user.click(dialog.getByRole("checkbox", { name: "Count them as 0 in the average" }));

    await waitFor(() => expect(bodies().at(-1)).toMatchObject({ count_unpriced: true }));
  });

  it("takes all that is unconsolidated", async () => {
    clientStore.set("options.showUnconsolidated", true);
    const { user } = show();
    await user.click(await screen.findByRole("button", { name: "Consolidate all…" }));
    await screen.findByRole("dialog", { name: "Consolidate" });

    await waitFor(() =>
      expect(bodies()[0]).toMatchObject({ filter: { unconsolidated: "true" }, dry_run: true }),
    );
  });
});

describe("SplitDialog", () => {
  it("makes a row of a part, with what differs alone", async () => {
    answer("POST /api/inventoryItems/40/split", () => ok([{ act_id: 4, row: inB }]));
    const { user } = show();
    await screen.findAllByText("Brick 2 x 4");
    await user.click(screen.getAllByRole("button", { name: "Row actions" })[0] as HTMLElement);
    await user.click(await screen.findByRole("menuitem", { name: "Split…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Split Brick 2 x 4" }));

    await user.type(dialog.getByRole("textbox", { name: /How many/ }), "30");
    await user.click(dialog.getByRole("button", { name: "Split" }));
    expect(await dialog.findByText("At most 29: something has to stay.")).toBeInTheDocument();
    await user.clear(dialog.getByRole("textbox", { name: /How many/ }));
    await user.type(dialog.getByRole("textbox", { name: /How many/ }), "5");
    await user.selectOptions(dialog.getByLabelText("Condition"), "New");
    await user.click(dialog.getByRole("button", { name: "Split" }));

    expect(await screen.findByText("5 pieces split off")).toBeInTheDocument();
    expect(sent("POST /api/inventoryItems/40/split")[0]?.body).toEqual({
      quantity: 5,
      changes: { condition: "N" },
      updatedAt: inA.updatedAt,
    });
  });

  it("leaves nothing without a location because one was typed and not chosen", async () => {
    answer("GET /api/inventoryLocations", () => page([]));
    const { user } = show();
    await screen.findAllByText("Brick 2 x 4");
    await user.click(screen.getAllByRole("button", { name: "Row actions" })[0] as HTMLElement);
    await user.click(await screen.findByRole("menuitem", { name: "Split…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Split Brick 2 x 4" }));

    await user.type(dialog.getByRole("textbox", { name: /How many/ }), "5");
    await user.type(dialog.getByRole("combobox", { name: "Bin" }), "x");
    await user.click(dialog.getByRole("button", { name: "Split" }));

    expect(
      await dialog.findByText("Choose a bin from the list, or leave it empty."),
    ).toBeInTheDocument();
    expect(sent("POST /api/inventoryItems/40/split")).toHaveLength(0);
  });
});

describe("The stock by lot", () => {
  it("sums a lot with its places under it and leads to its rows", async () => {
    answer("GET /api/inventoryItems/lots", () =>
      page([
        {
          ...inA,
          quantity: 40,
          row_count: 2,
          location_count: 2,
          price_min: "0.0000",
          price_max: "0.1200",
          value: "3.6000",
          places: [
            { id: 40, location_id: 7, location_name: "A-01", quantity: 30, price: "0.1200" },
            { id: 41, location_id: 8, location_name: "B-02", quantity: 10, price: "0.0000" },
          ],
        },
      ]),
    );
    answer("GET /api/preferences", () => ok([{ currency: "EUR", inventory_views: [] }]));
    const { user, router } = show("/app/inventory?view=lots");

    expect(await screen.findByTitle("A-01: 30, B-02: 10")).toBeInTheDocument();
    expect(await screen.findByTitle("Price, EUR")).toBeInTheDocument();
    expect(screen.getByTitle("Value, EUR")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Show its rows" }));

    const query = new URLSearchParams(router.state.location.search);
    expect([query.get("view"), query.get("lot"), query.get("condition")]).toEqual([null, "5", "U"]);
  });
});

const aGroup = {
  id: 7,
  name: "A-01",
  html: "",
  rows: 2,
  lots: 2,
  pieces: 40,
  value: "3.6000",
  lots_without_price: 0,
};

describe("groups", () => {
  it("are folded with their sums, and open with their rows", async () => {
    answer("GET /api/inventoryItems/groups", () => page([aGroup]));
    answer("GET /api/inventoryItems", () => page([inA]));
    const { user } = show("/app/inventory?view=places");

    const group = await screen.findByRole("button", { name: /^A-01 2 lots 40 pieces 3.60/ });
    expect(group).toHaveAttribute("aria-expanded", "false");
    await user.click(group);

    const rows = within(await screen.findByRole("table", { name: "A-01" })).getAllByRole("row");
    expect(rows).toHaveLength(2);
    expect(sent("GET /api/inventoryItems").at(-1)?.query.get("location")).toBe("7");
  });
});

describe("StocktakeDialog", () => {
  it("counts row by row with Enter, tells the difference and applies it with a reason", async () => {
    const counted: Record<number, number | null> = { 40: null, 41: null };
    const tally = () => ({
      rows: 2,
      counted: Object.values(counted).filter((count) => count !== null).length,
      fewer_rows: 1,
      more_rows: 0,
      fewer_pieces: counted[40] === null ? 0 : 2,
      more_pieces: 0,
      uncounted_pieces: 0,
      found_lots: 0,
      found_pieces: 0,
    });
    const take = { id: 6, location_id: 7, location_name: "A-01", state: "open", act_id: null };
    answer("GET /api/inventoryItems/groups", () => page([aGroup]));
    answer("POST /api/stocktakes", () => ok([take]));
    answer("GET /api/stocktakes/6/rows", () =>
      page([inA, inB].map((row) => ({ ...row, counted: counted[row.id], seen: row.quantity }))),
    );
    answer("GET /api/stocktakes/6/found", () => page([]));
    answer("GET /api/stocktakes/6/tally", () => ok([tally()]));
    answer("POST /api/stocktakes/6/counts", ({ body }) => {
      for (const one of (body as { counts: { item_id: number; counted: number }[] }).counts) {
        counted[one.item_id] = one.counted;
      }
      return ok([tally()]);
    });
    answer("POST /api/stocktakes/6/apply", () => ok([{ ...take, state: "applied", act_id: 12 }]));
    const { user } = show("/app/inventory?view=places");
    await user.click(await screen.findByRole("button", { name: /^A-01 2 lots 40 pieces/ }));
    await user.click(await screen.findByRole("button", { name: "Count it…" }));

    const [first] = await screen.findAllByRole("textbox", { name: /Counted of/ });
    await user.type(first as HTMLElement, "28{Enter}");
    expect(await screen.findByText("−2")).toBeInTheDocument();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(counted).toEqual({ 40: 28, 41: 10 }));
    expect(await screen.findByText("2 pieces fewer")).toBeInTheDocument();
    await user.type(screen.getByRole("textbox", { name: /Reason/ }), "spring");
    await user.click(screen.getByRole("button", { name: "Apply" }));

    expect(await screen.findByText("A-01 counted: 2 pieces fewer")).toBeInTheDocument();
    expect(sent("POST /api/stocktakes/6/apply")[0]?.body).toEqual({
      uncounted: "keep",
      note: "spring",
    });
  });
});
