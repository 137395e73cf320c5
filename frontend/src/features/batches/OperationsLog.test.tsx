import { screen, within } from "@testing-library/react";
import { aConnection } from "@/features/marketplace/testing/builders";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { answer, installServer, ok, page, refusal } from "@/shared/testing/server";
import { BatchesPage } from "./BatchesPage";
import { aBatch, anItem } from "./testing/builders";

const stats = { ...aBatch().stats, total_lots: 1, total_items: 6, stowed_lots: 1, stowed_items: 6 };

beforeEach(() => {
  giveElementsASize();
  installServer();
  answer("GET /api/sources", () => page([]));
  answer("GET /api/preferences", () => ok([{ currency: "EUR" }]));
  answer("GET /api/marketplaceConnection", () => ok([aConnection()]));
  answer("GET /api/batches/12", () => ok([aBatch({ batch_item_lot_count: 1, stats })]));
  answer("GET /api/batchItems", () => page([anItem({ is_stowed: true, state: "stowed" })]));
});

describe("the log of a batch's operations", () => {
  it("tells of operations that got no result, with the reason, after a reload too", async () => {
    answer("GET /api/batches/12/operations", () => page([]));
    answer("POST /api/batches/12/markListed", () => refusal(400, "X", "Not today."));
    answer("POST /api/marketplace/syncs", () => refusal(400, "X", "The store is closed."));
    const { user, unmount } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await screen.findByText("Brick 2 x 4");

    const choose = async (name: string) => {
      await user.click(screen.getByRole("button", { name: "More" }));
      await user.click(await screen.findByRole("menuitem", { name }));
    };
    await choose("Mark 1 lot as listed");
    await screen.findByText("Not today.");
    await choose("Sync");
    await screen.findByText("The store is closed.");
    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Operations" }));

    const entries = async () => {
      const log = await screen.findByRole("dialog", { name: "Operations" });
      const found = await within(log).findAllByRole("listitem");
      return found.map((entry) => entry.textContent);
    };
    const told = [
      expect.stringContaining("SyncerrorThe store is closed."),
      expect.stringContaining("Mark as listederrorNot today."),
    ];
    expect(await entries()).toEqual(told);

    unmount(); // the page is reloaded
    const reloaded = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await screen.findByText("Brick 2 x 4");
    await reloaded.user.click(screen.getByRole("button", { name: "More" }));
    await reloaded.user.click(await screen.findByRole("menuitem", { name: "Operations" }));

    expect(await entries()).toEqual(told);
  });

  it("names each with how it ended, and why items were refused", async () => {
    const failed = [{ id: 101, name: "Red Brick 2 x 4 (3001)", reason: "A-1 takes 2 more." }];
    const items = [{ id: 102, name: "Blue Plate 1 x 2 (3023)" }];
    const operation = {
      ...{ id: 3, kind: "stow", outcome: "error", item_count: 1, failed_count: 1, failed, items },
      ...{ message: "", by_name: "Ann", program: "", createdAt: "2026-01-02T03:04:05Z" },
    };
    answer("GET /api/batches/12/operations", () => page([operation]));
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await screen.findByText("Brick 2 x 4");

    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Operations" }));

    const log = within(await screen.findByRole("dialog", { name: "Operations" }));
    expect(await log.findByText("error")).toBeVisible();
    expect(log.getByText("A-1 takes 2 more.")).toBeVisible();
    expect(log.getByText(/^Blue Plate 1 x 2 \(3023\)/)).toBeVisible();
  });
});
