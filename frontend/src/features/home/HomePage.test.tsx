import { act, screen, waitFor, within } from "@testing-library/react";
import { aConnection } from "@/features/marketplace/testing/builders";
import { setTokens } from "@/shared/api/tokens";
import { reloadClientState } from "@/shared/store/clientStore";
import { renderPage } from "@/shared/testing/app";
import { emptyHome } from "@/shared/testing/emptyHome";
import { answer, created, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { HomePage } from "./HomePage";
import type { Home } from "./model";

const serve = (also: Partial<Home>) => answer("GET /api/home", () => ok([emptyHome(also)]));
const empty = emptyHome();

beforeEach(() => {
  installServer();
  setTokens({ accessToken: "a", refreshToken: "r" });
  reloadClientState();
});

describe("home", () => {
  it("shows a new account its first steps below its one question", async () => {
    serve({ is_new: true });
    renderPage(<HomePage />);

    expect(await screen.findByRole("heading", { name: "What do you have?" })).toBeVisible();
    const steps = screen.getByRole("heading", { name: "First steps" }).closest("section");
    const links = within(steps as HTMLElement).getAllByRole("link");
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Add locations", "/app/inventory-locations?pattern=1"],
      ["Import BSX", "/app/inventory?import=1"],
      ["New batch", "/app/batches?new=1"],
    ]);
    expect(screen.queryByText("In stock")).toBeNull();
  });

  it("asks an empty account one thing, and each answer begins its act", async () => {
    serve({ is_new: true });
    const { user, router } = renderPage(<HomePage />);

    expect(await screen.findByRole("heading", { name: "What do you have?" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Start sorting" })).toHaveAttribute(
      "href",
      "/app/stow-inventory",
    );
    expect(screen.getByRole("link", { name: "Connect it" })).toHaveAttribute(
      "href",
      "/app/settings?connect=1#integrations",
    );
    const file = new File(["x"], "store.bsx");
    await user.upload(screen.getByLabelText(/drop your store file/), file);
    expect(router.state.location.pathname).toBe("/app/inventory");
    expect(router.state.location.state).toEqual({ dropped: file });
  });

  it("reads the store's lots by one press once it is connected", async () => {
    serve({ is_new: true });
    answer("GET /api/marketplaceConnection", () => ok([aConnection({ is_demo: false })]));
    answer("POST /api/marketplace/pulls", () => ok([{ id: 8, job_id: null }]));
    const { user, router } = renderPage(<HomePage />);

    await user.click(await screen.findByRole("button", { name: /^Pull/ }));

    await waitFor(() => expect(router.state.location.search).toBe("?sync=8"));
  });

  it("brings nothing of a demo store into an account", async () => {
    serve({ is_new: true });
    answer("GET /api/marketplaceConnection", () => ok([aConnection({ is_demo: true })]));
    renderPage(<HomePage />);

    expect(await screen.findByRole("link", { name: "Connect it" })).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Pull/ })).toBeNull();
  });

  it("keeps the first steps until each is done or hidden", async () => {
    serve({ first_steps: { locations: true, stock: true, marketplace: false } });
    const { user } = renderPage(<HomePage />);
    const steps = (await screen.findByRole("heading", { name: "First steps" })).closest("section");
    expect(within(steps as HTMLElement).getAllByRole("listitem")).toHaveLength(1);

    await user.click(screen.getByRole("button", { name: "Hide: Connect your BrickLink store" }));

    expect(screen.queryByRole("heading", { name: "First steps" })).toBeNull();
  });

  it("makes a batch and opens it by one press", async () => {
    serve({});
    answer("POST /api/batches", () => created({ id: 12, name: "Batch of today" }));
    const { user, router } = renderPage(<HomePage />);

    await user.click(await screen.findByRole("button", { name: "New batch" }));

    await screen.findByText("Batch of today made");
    expect(sent("POST /api/batches")[0]?.body).toMatchObject({
      name: expect.stringMatching(/^Batch of \d/) as string,
    });
    expect(router.state.location.search).toBe("?batch=12");
  });

  it("asks once for everything", async () => {
    serve({});
    renderPage(<HomePage />);

    await screen.findByRole("link", { name: /^In stock/ });
    expect(sent("GET /api/home")).toHaveLength(1);
  });

  it("shows how much there is, each figure leading to its list", async () => {
    serve({
      tiles: { ...empty.tiles, stock_pieces: 2524, stock_lots: 1, stock_value: "81.5000" },
    });
    renderPage(<HomePage />);

    expect(await screen.findByRole("link", { name: "In stock 2,524" })).toHaveAttribute(
      "href",
      "/app/inventory",
    );
    expect(screen.getByRole("link", { name: "Stock value €81.50" })).toBeInTheDocument();
  });

  const lastAdded = {
    batch_id: 12,
    batch_name: "Attic",
    batch_pieces: 30,
    batch_put_away: 12,
    is_archived: false,
    quantity: 2,
    item_type: "PART",
    item_number: "3001",
    item_name: "Brick 2 x 4",
    color_name: "Red",
    color_html: "#C91A09",
    image_url: "",
    addedAt: "2026-01-01T00:00:00Z",
  };

  it("starts anew where the last batch is closed", async () => {
    serve({ last_added: { ...lastAdded, is_archived: true } });
    renderPage(<HomePage />);

    expect(await screen.findByRole("link", { name: "Start sorting" })).toHaveAttribute(
      "href",
      "/app/stow-inventory",
    );
    expect(screen.getByRole("link", { name: "Open Attic" })).toBeInTheDocument();
  });

  it("leads back into the last sitting", async () => {
    serve({ last_added: lastAdded });
    renderPage(<HomePage />);

    expect(await screen.findByRole("link", { name: "Continue sorting Attic" })).toHaveAttribute(
      "href",
      "/app/stow-inventory?batch=12",
    );
    expect(screen.getByText("Brick 2 x 4")).toBeInTheDocument();
  });

  it("asks no longer what there is once a file was imported elsewhere", async () => {
    serve({ is_new: true });
    const { router, queryClient } = renderPage(<HomePage />, { at: "/home", path: "/home" });
    await screen.findByText("What do you have?");
    await act(() => router.navigate("/elsewhere"));
    serve({});
    await queryClient.invalidateQueries();

    await act(() => router.navigate("/home"));

    expect(screen.queryByText("What do you have?")).toBeNull();
    expect(await screen.findByText("Nothing waits for you")).toBeInTheDocument();
  });

  it("says what waits, what it is worth, and leads there", async () => {
    const line = {
      note: "In stock, but nobody knows where",
      count: 9,
      since: null,
      is_due: false,
      is_pressing: false,
      pictures: [],
    };
    const soon = new Date(Date.now() + 5.2 * 3_600_000).toISOString();
    serve({
      waiting: [
        {
          ...line,
          id: "no-bin",
          title: "Put 9 lots into bins",
          money: "1204.5000",
          to: "/app/inventory?location=none",
        },
        {
          ...line,
          id: "auction-4",
          title: "12 lbs of LEGO",
          note: "$31.04 landed",
          money: null,
          since: soon,
          is_due: true,
          to: "/app/buy-lego",
        },
      ],
    });
    renderPage(<HomePage />);

    const link = await screen.findByRole("link", { name: /Put 9 lots into bins.*1,204\.50/ });
    expect(link).toHaveAttribute("href", "/app/inventory?location=none");
    expect(screen.getByText("Worth, EUR")).toBeInTheDocument();
    expect(screen.getByText("$31.04 landed, ends in 5 hours")).toBeInTheDocument();
  });

  it("pictures what waits, or draws its sign", async () => {
    const line = {
      note: "",
      count: 2,
      since: null,
      is_due: false,
      is_pressing: false,
      money: null,
    };
    const brick = { item_type: "PART", item_name: "Brick 2 x 4", color_html: "#C91A09" };
    serve({
      waiting: [
        {
          ...line,
          id: "unpriced",
          title: "Price 2 lots",
          to: "/app/inventory?unpriced=true",
          pictures: ["Red", "Blue"].map((color_name) => ({
            ...brick,
            color_name,
            image_url: "/faces/a.webp",
          })),
        },
        { ...line, id: "backup", title: "Make a backup", to: "/app/settings", pictures: [] },
      ],
    });
    renderPage(<HomePage />);

    const link = await screen.findByRole("link", { name: /Price 2 lots/ });
    expect(within(link).getByAltText("Brick 2 x 4, Red")).toBeInTheDocument();
    expect(within(link).getByAltText("Brick 2 x 4, Blue")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: /Make a backup/ }).querySelector("img")).toBeNull();
  });

  it("shows the work of the day beside the last sitting", async () => {
    serve({ last_added: lastAdded, today: { sorted: 48, put_away: 20, shipped: 1 } });
    renderPage(<HomePage />);

    expect(await screen.findByText("30 pieces so far, 12 put away")).toBeInTheDocument();
    expect(
      screen.getByText("Today: 48 pieces sorted, 20 put away, 1 order shipped"),
    ).toBeInTheDocument();
  });

  it("says so when nothing waits", async () => {
    serve({});
    renderPage(<HomePage />);

    expect(await screen.findByText("Nothing waits for you")).toBeInTheDocument();
  });

  const attic = {
    id: 4,
    name: "Attic",
    cost: "10.0000",
    sold: "25.0000",
    paid_back: "2.5000",
    in_stock: "7.0000",
    lots_without_price: 2,
  };

  it("draws how far sales have paid for each batch, with its figures", async () => {
    serve({ batch_returns: [{ ...attic, sold: "4.0000", paid_back: "0.4000" }] });
    renderPage(<HomePage />);

    const bars = await screen.findByRole("list", { name: "What batches give back" });
    expect(within(bars).getByText("€6.00 to go")).toBeInTheDocument();
    expect(within(bars).getByText("sold €4.00 of €10.00")).toBeInTheDocument();
    expect(within(bars).getByText("€7.00 in stock, 2 lots have no price")).toBeInTheDocument();
    expect(screen.getByText("Sold for €4.00, paid €10.00")).toBeInTheDocument();
    expect(screen.queryByRole("region", { name: /has paid for itself/ })).toBeNull();
  });

  it("celebrates a batch that has paid for itself until it is closed", async () => {
    serve({ batch_returns: [attic] });
    const { user, unmount } = renderPage(<HomePage />);
    const moment = await screen.findByRole("region", { name: "Attic has paid for itself" });
    expect(within(moment).getByText("Paid back 2.5×")).toBeInTheDocument();

    await user.click(within(moment).getByRole("button", { name: "Close" }));

    expect(screen.queryByRole("region", { name: /has paid for itself/ })).toBeNull();
    unmount();
    renderPage(<HomePage />);
    expect(await screen.findByText("paid back 2.5×")).toBeInTheDocument();
    expect(screen.queryByRole("region", { name: /has paid for itself/ })).toBeNull();
  });

  it("tells what is unwell", async () => {
    serve({
      health: {
        ...empty.health,
        recognition: { ...empty.health.recognition, is_reachable: false },
      },
    });
    renderPage(<HomePage />);

    expect(await screen.findByText("does not answer")).toBeInTheDocument();
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
