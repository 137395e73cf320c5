import { screen, waitFor, within } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { InventoryPage } from "../InventoryPage";
import { aStockRow } from "../testing/builders";
import type { Repriced } from "./repricing";

const ROUTE = "POST /api/inventoryItems/reprice";

const repriced = (values: Partial<Repriced> = {}): Repriced => ({
  dry_run: true,
  act_id: null,
  row_count: 2,
  changed: 1,
  without_data: 1,
  without_figures: 1,
  locked: 0,
  shown_count: 2,
  largest: [],
  old_figures: 0,
  figuresSince: null,
  being_fetched: 0,
  value_before: "4.8000",
  lots_without_price_before: 0,
  value_after: "7.2000",
  lots_without_price_after: 0,
  rows: [
    {
      ...told,
      id: 40,
      before: "0.1200",
      after: "0.1800",
      percent: "50.0",
      found_by: "sold",
      limited_by: "step",
    },
    { ...told, id: 41, before: "0.1200", after: "0.1200", is_marked: true },
  ],
  ...values,
});

const told = {
  item_number: "3001",
  part_name: "Brick 2 x 4",
  color_name: "Red",
  condition: "U",
  location_name: "A-01",
  figureAt: null,
  percent: null,
  found_by: "",
  limited_by: "",
  is_marked: false,
  is_left: false,
  quantity: 20,
} as const;

beforeEach(() => {
  giveElementsASize(1600);
  installServer();
  answer("GET /api/inventoryItems", () => page([aStockRow({ id: 40 }), aStockRow({ id: 41 })], 2));
  answer("GET /api/inventorySyncs", () => page([]));
  answer(ROUTE, ({ body }) => {
    const { dry_run } = body as { dry_run?: boolean };
    return ok([dry_run ? repriced() : repriced({ dry_run: false, act_id: 9 })]);
  });
});

const bodies = () => sent(ROUTE).map(({ body }) => body);

async function open() {
  const { user } = renderPage(<InventoryPage />, { at: "/app/inventory" });
  await screen.findAllByText("Brick 2 x 4");
  await user.click(screen.getByRole("checkbox", { name: /Select all/ }));
  await user.click(await screen.findByRole("button", { name: "Re-price…" }));
  return { user, dialog: within(await screen.findByRole("dialog", { name: "Re-price 2 rows" })) };
}

describe("RepriceDialog", () => {
  it("names no figures where none is asked for", async () => {
    answer(ROUTE, () =>
      ok([repriced({ rows: [{ ...told, id: 40, before: "0.1", after: "0.2" }] })]),
    );
    const { dialog } = await open();
    await dialog.findByText("0.20");

    expect(dialog.queryByRole("columnheader", { name: "Why" })).toBeNull();
  });

  it("shows what the rule would make of the chosen rows before anything is done", async () => {
    const { dialog } = await open();

    expect(await dialog.findByRole("status")).toHaveTextContent(
      "1 price changes: value 4.80 → 7.20, 1 without price data",
    );
    expect(dialog.getByText("0.18")).toBeInTheDocument();
    expect(dialog.getByText("+50 %")).toBeInTheDocument();
    expect(dialog.getByText("+1.20")).toBeInTheDocument();
    expect(dialog.getByText("Sold, average by pieces; the largest step")).toBeInTheDocument();
    expect(dialog.getByText("no data")).toBeInTheDocument();
    expect(bodies()).toEqual([{ ids: [40, 41], by: "rule", dry_run: true }]);
  });

  it("keeps the name of a bin in one line, however narrow the page is", async () => {
    const { dialog } = await open();

    const [bin] = await dialog.findAllByText("A-01");
    expect(bin).toHaveClass("whitespace-nowrap");
  });

  it("leaves rows out that are unticked", async () => {
    const { user, dialog } = await open();
    await user.click((await dialog.findAllByRole("checkbox", { name: /3001/ }))[0] as HTMLElement);
    await waitFor(() => expect(bodies().at(-1)).toEqual(expect.objectContaining({ leave: [40] })));

    await waitFor(() =>
      expect(dialog.getByRole("button", { name: "Change prices" })).not.toHaveAttribute(
        "aria-disabled",
        "true",
      ),
    );
    await user.click(dialog.getByRole("button", { name: "Change prices" }));

    await waitFor(() =>
      expect(bodies().at(-1)).toEqual({ ids: [40, 41], by: "rule", leave: [40] }),
    );
  });

  it("sorts all rows by the figure of a column, and goes on to the next page", async () => {
    answer(ROUTE, () => ok([repriced({ shown_count: 500 })]));
    const { user, dialog } = await open();
    const head = await dialog.findByRole("columnheader", { name: /Percent/ });

    await user.click(within(head).getByRole("button"));
    await waitFor(() =>
      expect(bodies().at(-1)).toEqual(expect.objectContaining({ order: "-percent" })),
    );
    expect(head).toHaveAttribute("aria-sort", "descending");
    await user.click(dialog.getByRole("button", { name: "Next page" }));

    await waitFor(() => expect(bodies().at(-1)).toEqual(expect.objectContaining({ start: 200 })));
  });

  it("tells the largest changes and what is locked", async () => {
    const row = { ...told, before: "1", after: "2", percent: "100.0" };
    const largest = [1, 2].map((id) => ({ ...row, id }));
    answer(ROUTE, () => ok([repriced({ largest, locked: 3 })]));
    const { dialog } = await open();

    expect(await dialog.findByRole("status")).toHaveTextContent(/, 3 locked$/);
    expect(dialog.getByText("The 2 largest changes")).toBeInTheDocument();
  });

  it("does what was shown, and takes it back", async () => {
    answer("POST /api/inventoryActs/9/undo", () => ok([{ id: 9 }]));
    const { user, dialog } = await open();
    await dialog.findByRole("status");

    await user.click(dialog.getByRole("button", { name: "Change prices" }));

    expect(await screen.findByText("1 price changed")).toBeInTheDocument();
    expect(bodies().at(-1)).toEqual({ ids: [40, 41], by: "rule" });
    await user.click(screen.getAllByRole("button", { name: "Undo" }).at(-1) as HTMLElement);
    await waitFor(() => expect(sent("POST /api/inventoryActs/9/undo")).toHaveLength(1));
  });

  it("asks again for what is typed, and not for what is no amount", async () => {
    const { user, dialog } = await open();
    await dialog.findByRole("status");

    await user.click(dialog.getByRole("radio", { name: "One price" }));
    expect(dialog.getByRole("button", { name: "Change prices" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    await user.type(dialog.getByRole("textbox", { name: "Price of one piece" }), "0,25");

    await waitFor(() =>
      expect(bodies().at(-1)).toEqual({
        ids: [40, 41],
        by: "fixed",
        price: "0.25",
        dry_run: true,
      }),
    );
    expect(bodies()).not.toContainEqual(expect.objectContaining({ price: "" }));
  });

  it("waits for figures that are being fetched, unless the old ones are to be used", async () => {
    const old = { old_figures: 2, figuresSince: new Date(Date.now() - 9 * 3600_000).toISOString() };
    answer(ROUTE, () => ok([repriced({ ...old, being_fetched: 2 })]));
    const { user, dialog } = await open();

    expect(await dialog.findByText(/The oldest are from 9 .* of 2 lots are/)).toBeInTheDocument();
    const act = dialog.getByRole("button", { name: "Change prices" });
    expect(act).toHaveAttribute("aria-disabled", "true");
    await user.click(dialog.getByRole("button", { name: "Use the old ones" }));

    await waitFor(() => expect(act).not.toHaveAttribute("aria-disabled", "true"));
    expect(bodies().at(-1)).toEqual(expect.objectContaining({ use_old_figures: true }));
  });

  it("cannot be done where nothing would change", async () => {
    answer(ROUTE, () => ok([repriced({ changed: 0, without_data: 0, rows: [] })]));
    const { dialog } = await open();

    expect(await dialog.findByText(/^0 prices change/)).toBeInTheDocument();
    expect(dialog.getByRole("button", { name: "Change prices" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
  });

  it("tells why it is refused", async () => {
    answer(ROUTE, () => refusal(409, "CONFLICT", "The stock is being imported."));
    const { dialog } = await open();

    expect(await dialog.findByText("The stock is being imported.")).toBeInTheDocument();
  });
});
