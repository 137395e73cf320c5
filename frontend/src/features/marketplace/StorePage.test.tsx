import { screen, within } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page } from "@/shared/testing/server";
import { runFigures, runOutcome, syncFigures, syncOutcome } from "./history/rules";
import { StorePage } from "./StorePage";
import { aConnection, aRun, aSync, noDifference } from "./testing/builders";

const RUNS = "GET /api/marketplace/listings/runs";
const SYNCS = "GET /api/marketplace/syncs";

const applied = aSync({
  state: "applied",
  counts: { ...noDifference, sold: 3, changed: 1200 },
});

beforeEach(() => {
  installServer();
  answer("GET /api/marketplaceConnection", () => ok([aConnection()]));
  answer(RUNS, () => page([aRun()]));
  answer(SYNCS, () => page([applied]));
  answer("GET /api/marketplace/schedule", () =>
    ok([
      {
        minutes: 0,
        conflicts: "mine",
        problem: "",
        changed_lots: 0,
        changed_value: "0.0000",
        questions: 0,
        last: null,
      },
    ]),
  );
});

const rowOf = async (table: string, name: string | RegExp) =>
  within(await screen.findByRole("region", { name: table })).getByRole("row", { name });

describe("StorePage", () => {
  it("tells what is left of today's calls to each of two stores", async () => {
    const choices = aConnection().choices.map((each, place) => ({
      ...each,
      channel_id: place + 1,
      state: "ok" as const,
    }));
    const names = { bricklink: "Demo store", brickowl: "BrickOwl (demo)" };
    answer("GET /api/marketplaceConnection", ({ query }) => {
      const { calls } = aConnection();
      const isOwl = query.get("marketplace") === "brickowl";
      const marketplace_name = names[isOwl ? "brickowl" : "bricklink"];
      return ok([
        aConnection({ choices, marketplace_name, calls: { ...calls, left: isOwl ? 7 : 4788 } }),
      ]);
    });
    renderPage(<StorePage />, { at: "/app/store" });

    expect(await screen.findByText(/^Demo store: 4,788 calls are left until/)).toBeVisible();
    expect(await screen.findByText(/^BrickOwl \(demo\): 7 calls are left until/)).toBeVisible();
  });

  it("tells what each listing came to, and opens it beside its batch", async () => {
    renderPage(<StorePage />, { at: "/app/store" });

    const row = await rowOf("Listings", /Attic/);

    expect(row).toHaveTextContent("12 listed (10 new lots, 2 topped up)");
    expect(row).toHaveTextContent("4 calls");
    expect(within(row).getByRole("link", { name: "Open the listing of Attic" })).toHaveAttribute(
      "href",
      "/app/batches?batch=12&listing=11111111-1111-4111-8111-111111111111",
    );
  });

  it("leads to the refused rows of one that was not done whole", async () => {
    answer(RUNS, () => page([aRun({ item_count: 11, failed_count: 1 })]));
    renderPage(<StorePage />, { at: "/app/store" });

    const row = await rowOf("Listings", /Attic/);

    expect(row).toHaveTextContent("done in part");
    expect(row).toHaveTextContent("11 listed (10 new lots, 2 topped up), 1 refused");
    expect(within(row).getByRole("link", { name: /Open the listing/ })).toHaveTextContent(
      "Refused",
    );
  });

  it("tells why a listing failed", async () => {
    answer(RUNS, () =>
      page([
        aRun({ state: "failed", item_count: 0, created: 0, topped_up: 0, message: "Closed." }),
      ]),
    );
    renderPage(<StorePage />, { at: "/app/store" });

    const row = await rowOf("Listings", /Attic/);

    expect(row).toHaveTextContent("failed");
    expect(row).toHaveTextContent("0 listed");
    expect(row).toHaveTextContent("Closed.");
  });

  it.each([
    [
      "stock",
      { created: 3, topped_up: 0, moved: 2 },
      "12 listed (3 new lots, 2 out of a stockroom)",
    ],
    ["unlist", { created: 0, topped_up: 0, moved: 12 }, "12 taken off sale"],
  ] as const)("opens one of stock rows (%s) beside the stock", async (act, figures, words) => {
    answer(RUNS, () => page([aRun({ act, batch_id: null, batch_name: null, ...figures })]));
    renderPage(<StorePage />, { at: "/app/store" });

    const row = await rowOf("Listings", /Rows of the stock/);

    expect(row).toHaveTextContent(words);
    expect(within(row).getByRole("link", { name: /Open the listing/ })).toHaveAttribute(
      "href",
      "/app/inventory?listing=11111111-1111-4111-8111-111111111111",
    );
  });

  it("opens nothing of a batch that was deleted", async () => {
    answer(RUNS, () => page([aRun({ batch_name: null })]));
    renderPage(<StorePage />, { at: "/app/store" });

    const row = await rowOf("Listings", /deleted/);

    expect(within(row).queryByRole("link")).not.toBeInTheDocument();
  });

  it("says what to do where nothing was listed", async () => {
    answer(RUNS, () => page([]));
    renderPage(<StorePage />, { at: "/app/store" });

    expect(await screen.findByText("Nothing was listed yet")).toBeVisible();
  });

  it("shows the syncs on a tab that the address keeps", async () => {
    const { user, router } = renderPage(<StorePage />, { at: "/app/store" });

    await user.click(await screen.findByRole("tab", { name: "Syncs" }));

    expect(router.state.location.search).toBe("?tab=syncs");
    const row = await rowOf("Syncs", /The whole stock/);
    expect(row).toHaveTextContent("Sold 3, Price and texts 1,200");
    expect(row).toHaveTextContent("applied");
  });

  it("opens a sync with its rows", async () => {
    answer("GET /api/marketplace/syncs/5", () => ok([applied]));
    answer("GET /api/marketplace/syncs/5/rows", () => page([]));
    const { user } = renderPage(<StorePage />, { at: "/app/store?tab=syncs" });

    await user.click(await screen.findByRole("link", { name: /Open the sync of/ }));

    expect(await screen.findByRole("dialog", { name: "Stock and store are synced" })).toBeVisible();
  });
});

describe("runOutcome", () => {
  it.each([
    [{ state: "queued" }, "waiting"],
    [{ state: "running" }, "under way"],
    [{ state: "cancelled" }, "stopped"],
    [{ state: "failed" }, "failed"],
    [{ state: "succeeded" }, "done"],
    [{ state: "succeeded", failed_count: 1 }, "done in part"],
  ] as const)("of %j is %s", (values, text) => {
    expect(runOutcome(aRun(values)).text).toBe(text);
  });
});

describe("runFigures", () => {
  it.each([
    [{ state: "running", done: 50, total: 1200, item_count: null }, "50 of 1,200"],
    [{ created: 1, topped_up: 0, item_count: 1 }, "1 listed (1 new lot)"],
    [{ item_count: 0, created: 0, topped_up: 0, unknown_count: 3 }, "0 listed, 3 not known yet"],
    [{ state: "cancelled", item_count: null, created: null, topped_up: null }, "0 listed"],
  ] as const)("of %j are %s", (values, text) => {
    expect(runFigures(aRun(values))).toBe(text);
  });
});

describe("syncOutcome", () => {
  it.each([
    [{ state: "planned" }, "not applied"],
    [{ state: "planned", counts: noDifference }, "in agreement"],
    [{ state: "failed", counts: noDifference }, "failed"],
  ] as const)("of %j is %s", (values, text) => {
    expect(syncOutcome(aSync({ ...applied, ...values })).text).toBe(text);
  });
});

describe("syncFigures", () => {
  it.each([
    [{ state: "planned" }, "No difference"],
    [{ state: "failed" }, ""],
  ] as const)("without differences of %j are %s", (values, text) => {
    expect(syncFigures(aSync({ ...values, counts: noDifference }))).toBe(text);
  });
});
