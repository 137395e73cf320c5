import { screen, waitFor, within } from "@testing-library/react";
import { aConnection } from "@/features/marketplace/testing/builders";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { InventoryPage } from "../InventoryPage";
import { aStockRow } from "../testing/builders";

const LIST = "POST /api/marketplace/listings/stock";
const UNLIST = "POST /api/marketplace/listings/unlist";
const JOB = "GET /api/jobs/7";
const loose = aStockRow();
const listed = aStockRow({ id: 41, part_name: "Plate 1 x 1", marketplace_lot_id: 400 });
const hidden = aStockRow({
  id: 42,
  part_name: "Tile 1 x 1",
  marketplace_lot_id: 401,
  stockroom: "A",
});
const job = {
  id: "7",
  kind: "batches.list_stock",
  state: "running",
  done: 1,
  total: 2,
  message: "1 listed",
  failed: [] as object[],
  failed_count: 0,
  result: {} as object,
  cancel_requested: false,
  createdAt: "2026-01-02T03:04:05Z",
  updatedAt: "2026-01-02T03:04:05Z",
};
const result = { unlists: false, item_count: 1, failed_count: 0, unknown_count: 0 };
const refused = { id: 40, name: "3001 Red", reason: "A price of 0", outcome: "rejected" };

beforeEach(() => {
  giveElementsASize();
  installServer();
  answer("GET /api/inventoryItems", () => page([loose, listed, hidden]));
  answer("GET /api/inventorySyncs", () => page([]));
  answer("GET /api/marketplaceConnection", () => ok([aConnection()]));
  answer("GET /api/marketplace/syncs", () => page([]));
  answer(LIST, () => ok([{ job_id: "7", item_count: 1 }]));
  answer(UNLIST, () => ok([{ job_id: "7", item_count: 1 }]));
  answer(JOB, () => ok([job]));
});

const show = (more = "") => renderPage(<InventoryPage />, { at: `/app/inventory${more}` });

async function menuOf(user: ReturnType<typeof show>["user"], name: string) {
  await screen.findByText(name);
  const row = screen.getByText(name).closest('[role="row"]') as HTMLElement;
  await user.click(within(row).getByRole("button", { name: "Row actions" }));
  await screen.findByRole("menuitem", { name: /^List…/ });
}

describe("a row's menu", () => {
  it.each([
    ["Brick 2 x 4", "List…", "Unlist…"],
    ["Plate 1 x 1", "Unlist…", "List…"],
  ])("of %s offers %s and not %s", async (name, offered, not) => {
    const { user } = show();
    await menuOf(user, name);

    const entry = (label: string) =>
      screen.getByRole("menuitem", { name: new RegExp(`^${label}`) });
    expect(entry(offered)).not.toHaveAttribute("aria-disabled", "true");
    expect(entry(not)).toHaveAttribute("aria-disabled", "true");
  });

  it("lists a row where it is asked to, and shows how far it is", async () => {
    const { user, router } = show();
    await menuOf(user, "Brick 2 x 4");
    await user.click(screen.getByRole("menuitem", { name: /^List…/ }));

    const dialog = within(await screen.findByRole("dialog", { name: "List 1 row" }));
    await user.click(dialog.getByText("Stockroom"));
    await user.selectOptions(dialog.getByRole("combobox", { name: "Which stockroom" }), "B");
    expect(sent(LIST)).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "List" }));

    expect(await screen.findByRole("dialog", { name: "Listing" })).toBeInTheDocument();
    expect(sent(LIST)[0]?.body).toEqual({ ids: [40], stockroom: "B" });
    expect(router.state.location.search).toContain("listing=7");
  });

  it("brings a row out of its stockroom", async () => {
    const { user } = show();
    await menuOf(user, "Tile 1 x 1");
    await user.click(screen.getByRole("menuitem", { name: /^List…/ }));

    const dialog = within(await screen.findByRole("dialog", { name: "List 1 row" }));
    await user.click(dialog.getByRole("button", { name: "List" }));

    await waitFor(() => expect(sent(LIST)[0]?.body).toEqual({ ids: [42], stockroom: "" }));
  });

  it("takes a row off sale into the stockroom that is chosen", async () => {
    answer(JOB, () => ok([{ ...job, kind: "batches.unlist_stock" }]));
    const { user } = show();
    await menuOf(user, "Plate 1 x 1");
    await user.click(screen.getByRole("menuitem", { name: /^Unlist…/ }));

    const dialog = within(await screen.findByRole("dialog", { name: "Take 1 row off sale" }));
    expect(dialog.getByText(/List puts the same lots back on sale/)).toBeInTheDocument();
    await user.selectOptions(dialog.getByRole("combobox", { name: "Which stockroom" }), "C");
    await user.click(dialog.getByRole("button", { name: "Unlist" }));

    expect(await screen.findByRole("dialog", { name: "Taking off sale" })).toBeInTheDocument();
    expect(sent(UNLIST)[0]?.body).toEqual({ ids: [41], stockroom: "C" });
  });

  it("says why nothing can be listed", async () => {
    answer(LIST, () => refusal(409, "CONFLICT", "Connect your store first"));
    const { user } = show();
    await menuOf(user, "Brick 2 x 4");
    await user.click(screen.getByRole("menuitem", { name: /^List…/ }));
    const dialog = within(await screen.findByRole("dialog", { name: "List 1 row" }));
    await user.click(dialog.getByRole("button", { name: "List" }));

    expect(await dialog.findByText("Connect your store first")).toBeInTheDocument();
  });
});

describe("the selection", () => {
  it.each([
    ["List…", "List 3 rows", "List", LIST, ""],
    ["Unlist…", "Take 3 rows off sale", "Unlist", UNLIST, "A"],
  ])("%s asks, sends what was chosen and lets it go", async (button, title, act, call, room) => {
    const { user } = show();
    await screen.findByText("Brick 2 x 4");
    await user.click(screen.getByRole("checkbox", { name: /all/i }));

    await user.click(await screen.findByRole("button", { name: button }));
    const dialog = within(await screen.findByRole("dialog", { name: title }));
    await user.click(dialog.getByRole("button", { name: act }));

    await waitFor(() =>
      expect(sent(call)[0]?.body).toEqual({ ids: [40, 41, 42], stockroom: room }),
    );
    await waitFor(() => expect(screen.queryByRole("button", { name: button })).toBeNull());
  });
});

describe("the result", () => {
  const ended = (changes: object) =>
    answer(JOB, () => ok([{ ...job, state: "succeeded", done: 2, result, ...changes }]));

  it("tells what was refused and why, opens it, and tries it again", async () => {
    ended({ failed: [refused], failed_count: 1 });
    answer("GET /api/inventoryItems/40", () => ok([loose]));
    const { user } = show("?listing=7");

    const dialog = await screen.findByRole("dialog", { name: "1 listed, 1 refused" });
    expect(within(dialog).getByRole("row", { name: /3001 Red/ })).toHaveTextContent("A price of 0");
    await user.click(within(dialog).getByRole("button", { name: "Retry these…" }));
    const again = within(await screen.findByRole("dialog", { name: "List 1 row" }));
    await user.click(again.getByRole("button", { name: "List" }));

    await waitFor(() => expect(sent(LIST)[0]?.body).toEqual({ ids: [40], stockroom: "" }));
  });

  it("opens a refused row to be mended", async () => {
    ended({ failed: [refused], failed_count: 1 });
    answer("GET /api/inventoryItems/40", () => ok([loose]));
    const { user } = show("?listing=7");

    await user.click(await screen.findByRole("button", { name: "Open 3001 Red" }));

    expect(await screen.findByRole("dialog", { name: "Brick 2 x 4" })).toBeInTheDocument();
  });

  it("tries again to take off sale what could not be", async () => {
    ended({
      kind: "batches.unlist_stock",
      failed: [refused],
      failed_count: 1,
      result: { ...result, unlists: true, item_count: 0 },
    });
    const { user } = show("?listing=7");

    await screen.findByRole("dialog", { name: "Nothing taken off sale: 1 refused" });
    await user.click(screen.getByRole("button", { name: "Retry these…" }));

    expect(await screen.findByRole("dialog", { name: "Take 1 row off sale" })).toBeInTheDocument();
  });

  it("is closed by the address", async () => {
    ended({ result: { ...result, item_count: 2 } });
    const { user, router } = show("?listing=7");

    await screen.findByRole("dialog", { name: "2 rows listed" });
    expect(screen.getByText("The store has all of them.")).toBeInTheDocument();
    await user.click(screen.getAllByRole("button", { name: "Close" })[0] as HTMLElement);

    await waitFor(() => expect(router.state.location.search).toBe(""));
  });
});
