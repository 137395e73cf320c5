import { screen, within } from "@testing-library/react";
import { setTokens } from "@/shared/api/tokens";
import { clientStore, reloadClientState } from "@/shared/store/clientStore";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { HomePage } from "./HomePage";
import type { Home } from "./model";
import { emptyHome } from "./testing";

const serve = (also: Partial<Home>) => answer("GET /api/home", () => ok([emptyHome(also)]));
const empty = emptyHome();

beforeEach(() => {
  installServer();
  setTokens({ accessToken: "a", refreshToken: "r" });
  reloadClientState();
});

describe("home", () => {
  it("shows a new account its first steps, and which are done", async () => {
    serve({ is_new: true, first_steps: { locations: true, stock: false, marketplace: false } });
    renderPage(<HomePage />);

    for (const name of ["New batch", "Add locations", "Import BSX"]) {
      expect(await screen.findByRole("link", { name })).toBeInTheDocument();
    }
    const steps = screen.getByRole("heading", { name: "First steps" }).closest("section");
    expect(within(steps as HTMLElement).getByLabelText("done")).toBeInTheDocument();
    expect(screen.queryByText("In stock")).toBeNull();
  });

  it("asks once for everything, by the days of this browser", async () => {
    serve({});
    renderPage(<HomePage />);

    await screen.findByRole("link", { name: /^In stock/ });
    expect(sent("GET /api/home")).toHaveLength(1);
    expect(sent("GET /api/home")[0]?.query.get("time_zone")).toBe(
      Intl.DateTimeFormat().resolvedOptions().timeZone,
    );
  });

  it("shows how much there is, each figure leading to its list", async () => {
    serve({
      tiles: { ...empty.tiles, stock_pieces: 2524, stock_lots: 1, stock_value: "81.5000" },
    });
    renderPage(<HomePage />);

    expect(await screen.findByRole("link", { name: "In stock 2,524 1 lot" })).toHaveAttribute(
      "href",
      "/app/inventory",
    );
    expect(screen.getByRole("link", { name: "Stock value €81.50 at your prices" })).toHaveAttribute(
      "href",
      "/app/reports",
    );
  });

  it("opens what lies in several places with the list narrowed to it", async () => {
    serve({ tiles: { ...empty.tiles, spread_lots: 3 } });
    const { user } = renderPage(<HomePage />);

    await user.click(await screen.findByRole("link", { name: /^In several places 3/ }));

    expect(clientStore.get("options.showUnconsolidated")).toBe(true);
  });

  it("leads back into the last sitting", async () => {
    serve({
      last_added: {
        batch_id: 12,
        batch_name: "Attic",
        batch_pieces: 30,
        is_archived: false,
        quantity: 2,
        item_type: "PART",
        item_number: "3001",
        item_name: "Brick 2 x 4",
        color_name: "Red",
        color_html: "#C91A09",
        image_url: "",
        addedAt: "2026-01-01T00:00:00Z",
      },
    });
    renderPage(<HomePage />);

    expect(await screen.findByRole("link", { name: "Continue stowing Attic" })).toHaveAttribute(
      "href",
      "/app/stow-inventory?batch=12",
    );
    expect(screen.getByText("Brick 2 x 4")).toBeInTheDocument();
  });

  it("says what waits and where", async () => {
    serve({
      to_do: {
        ...empty.to_do,
        refused: [
          {
            batch_id: 4,
            batch_name: "Attic",
            kind: "list",
            failed_count: 2,
            createdAt: "2026-01-01T00:00:00Z",
          },
        ],
        auctions: [
          {
            id: 9,
            title: "12 lbs of LEGO",
            end_time: "2026-01-01T00:00:00Z",
            current_price: "20.0000",
            landed_cost: null,
            landed_per_kg: null,
            my_bid: null,
          },
        ],
      },
    });
    renderPage(<HomePage />);

    expect(
      await screen.findByRole("link", { name: /2 rows of Attic could not be listed/ }),
    ).toHaveAttribute("href", "/app/batches?batch=4");
    expect(screen.getByRole("link", { name: /12 lbs of LEGO.*shipping unknown/ })).toBeVisible();
  });

  it("leads to the orders that wait", async () => {
    const orders = { to_pick: 2, to_pack: 1, to_ship: 0, overdue: 1, pieces_to_pick: 40 };
    serve({ to_do: { ...empty.to_do, orders } });
    renderPage(<HomePage />);

    expect(await screen.findByRole("link", { name: /Pick 2 orders.*40 pieces/ })).toHaveAttribute(
      "href",
      "/app/orders",
    );
    expect(screen.getByRole("link", { name: /Pack 1 order/ })).toHaveAttribute(
      "href",
      "/app/orders?state=picked",
    );
    expect(screen.getByRole("link", { name: /1 order overdue/ })).toBeVisible();
    expect(screen.queryByRole("link", { name: /Ship/ })).not.toBeInTheDocument();
  });

  it("says so when nothing waits", async () => {
    serve({});
    renderPage(<HomePage />);

    expect(await screen.findByText("Nothing waits for you")).toBeInTheDocument();
  });

  it("draws what batches give back, with figures beside the bars", async () => {
    serve({
      batch_returns: [
        {
          id: 4,
          name: "Attic",
          cost: "10.0000",
          value: "25.0000",
          lots_without_price: 2,
          gives_back: "2.5000",
        },
      ],
      days: [{ day: "2026-01-01", added: 7, stowed: 3 }],
    });
    renderPage(<HomePage />);

    const bars = await screen.findByRole("list", { name: "What batches give back" });
    expect(within(bars).getByText("2.5×")).toBeInTheDocument();
    expect(
      within(bars).getByText("€25.00 for €10.00, 2 lots without a price not counted"),
    ).toBeInTheDocument();
    expect(
      screen.getByRole("img", { name: "In 1 days 7 pieces were added and 3 stowed." }),
    ).toBeInTheDocument();
  });

  it("tells what is unwell", async () => {
    serve({
      health: {
        ...empty.health,
        recognition: { provider: "Brickognize", is_demo: false, is_reachable: false },
      },
    });
    renderPage(<HomePage />);

    expect(await screen.findByText("does not answer")).toBeInTheDocument();
    expect(screen.getByText("none yet: there is no copy of your store")).toBeInTheDocument();
  });

  it("says why there is nothing, and tries again", async () => {
    answer("GET /api/home", () => refusal(403, "FORBIDDEN", "Not now."));
    const { user } = renderPage(<HomePage />);

    const retry = await screen.findByRole("button", { name: "Try again" });
    serve({});
    await user.click(retry);

    expect(await screen.findByText("Nothing waits for you")).toBeInTheDocument();
  });
});
