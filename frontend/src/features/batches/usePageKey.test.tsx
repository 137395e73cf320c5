import { act, screen, within } from "@testing-library/react";
import { aConnection } from "@/features/marketplace/testing/builders";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { answer, installServer, ok, page } from "@/shared/testing/server";
import { BatchesPage } from "./BatchesPage";
import { aBatch } from "./testing/builders";

beforeEach(() => {
  giveElementsASize();
  installServer();
  answer("GET /api/sources", () => page([]));
  answer("GET /api/marketplaceConnection", () => ok([aConnection()]));
  answer("GET /api/preferences", () => ok([{ currency: "EUR" }]));
  answer("GET /api/batches", () => page([aBatch()]));
});

describe("the batches page", () => {
  it("makes a new batch at the key n, but not while one types", async () => {
    const { user } = renderPage(<BatchesPage />, { at: "/app/batches" });
    const search = await screen.findByRole("searchbox", { name: "Search batches" });
    expect(screen.getByRole("button", { name: "New batch" })).toHaveAttribute("title", "Key N");

    await user.type(search, "n");
    expect(search).toHaveValue("n");
    expect(screen.queryByRole("dialog")).toBeNull();

    act(() => search.blur());
    await user.keyboard("n");
    const name = within(await screen.findByRole("dialog", { name: "New batch" }));
    // The key itself is not the first letter of the name, and a second one opens nothing more.
    expect(await name.findByRole("textbox", { name: /Name/ })).toHaveValue("");
    await user.keyboard("n");
    expect(screen.getAllByRole("dialog")).toHaveLength(1);
  });
});
