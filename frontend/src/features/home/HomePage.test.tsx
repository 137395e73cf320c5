import { screen } from "@testing-library/react";
import { setTokens } from "@/shared/api/tokens";
import { clientStore, reloadClientState } from "@/shared/store/clientStore";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, page } from "@/shared/testing/server";
import { HomePage } from "./HomePage";

const have = (counts: Record<string, number>) => {
  for (const name of ["inventoryItems", "batches", "inventoryLocations", "sources"]) {
    answer(`GET /api/${name}`, () => page([], counts[name] ?? 0, 1));
  }
};

beforeEach(() => {
  installServer();
  setTokens({ accessToken: "a", refreshToken: "r" });
  reloadClientState();
});

describe("home", () => {
  it("shows a new account its first steps", async () => {
    have({});
    renderPage(<HomePage />);

    for (const name of ["Add locations", "Import BSX", "New batch"]) {
      expect(await screen.findByRole("link", { name })).toBeInTheDocument();
    }
    expect(screen.queryByText("Lots in stock")).toBeNull();
  });

  it("shows how much there is, and the way back into the last sitting", async () => {
    have({ inventoryItems: 2524, batches: 3 });
    clientStore.set("lastBatchItemAdded", {
      batchId: 12,
      batchName: "Attic",
      totalItemsAdded: 3,
      quantity: 2,
      itemName: "Brick 2 x 4",
      itemNumber: "3001",
      itemType: "PART",
      color: "Red",
      timestamp: "2026-01-01T00:00:00Z",
    });
    renderPage(<HomePage />);

    expect(await screen.findByRole("link", { name: "Lots in stock 2,524" })).toHaveAttribute(
      "href",
      "/app/inventory",
    );
    expect(screen.getByRole("link", { name: "Continue stowing Attic" })).toHaveAttribute(
      "href",
      "/app/stow-inventory?batch=12",
    );
  });
});
