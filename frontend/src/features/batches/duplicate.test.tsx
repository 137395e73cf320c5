import { screen, waitFor, within } from "@testing-library/react";
import { aConnection } from "@/features/marketplace/testing/builders";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { answer, installServer, ok, page, sent } from "@/shared/testing/server";
import { BatchesPage } from "./BatchesPage";
import { aBatch, anItem } from "./testing/builders";

const stats = { ...aBatch().stats, total_lots: 1, total_items: 6, new_lots: 1, new_items: 6 };

beforeEach(() => {
  giveElementsASize();
  installServer();
  answer("GET /api/sources", () => page([]));
  answer("GET /api/marketplaceConnection", () => ok([aConnection()]));
  answer("GET /api/preferences", () => ok([{ currency: "EUR" }]));
  answer("GET /api/batches/12", () => ok([aBatch({ batch_item_lot_count: 1, stats })]));
});

describe("a row that is duplicated", () => {
  it("is made with all that the first one has, as a step of the history", async () => {
    const item = anItem({ comments: "clean", price: "0.2500" });
    const bulk = "POST /api/batchItems/bulk";
    answer("GET /api/batchItems", () => page([item]));
    answer(bulk, () =>
      ok([{ action: "create", index: 0, ok: true, id: 102, row: { ...item, id: 102 } }]),
    );
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches?batch=12" });
    await screen.findByText("Brick 2 x 4");

    await user.click(screen.getByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Duplicate" }));

    await waitFor(() =>
      expect(sent(bulk)[0]?.body).toMatchObject({
        create: [{ batch_id: 12, lot_id: 5, qty: 6, price: "0.2500", comments: "clean" }],
      }),
    );
    await user.click(screen.getByRole("button", { name: "More for this list" }));
    await user.click(await screen.findByRole("menuitem", { name: "History and errors" }));
    const steps = await screen.findByRole("list", { name: "Steps, the newest first" });
    expect(within(steps).getAllByRole("listitem")[0]).toHaveTextContent("row-create");
  });
});
