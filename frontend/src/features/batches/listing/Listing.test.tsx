import { screen, waitFor, within } from "@testing-library/react";
import { aConnection } from "@/features/marketplace/testing/builders";
import { clientStore } from "@/shared/store/clientStore";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { answer, installServer, never, ok, page, refusal, sent } from "@/shared/testing/server";
import { BatchesPage } from "../BatchesPage";
import { aBatch, anItem } from "../testing/builders";

const START = "POST /api/marketplace/listings";
const JOB = "GET /api/jobs/7";
const stats = { ...aBatch().stats, total_lots: 2, stowed_lots: 2, stowed_items: 9 };
const batch = aBatch({ batch_item_lot_count: 2, stats });
const stowed = anItem({ state: "stowed", is_stowed: true });
const job = {
  id: "7",
  kind: "batches.list_items",
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
const result = { batch_id: 12, item_count: 1, failed_count: 0, unknown_count: 0 };
const refused = { id: 101, name: "3001 Red", reason: "A price of 0", outcome: "rejected" };

beforeEach(() => {
  giveElementsASize();
  installServer();
  clientStore.clear("options.batchFilter");
  answer("GET /api/preferences", () => ok([{ currency: "EUR" }]));
  answer("GET /api/batches/12", () => ok([batch]));
  answer("GET /api/batchItems", () => page([stowed]));
  answer("GET /api/batchItems/sums", () =>
    ok([{ rows: 2, lots: 2, pieces: 9, value: "1.0000", lots_without_price: 0 }]),
  );
  answer("GET /api/marketplaceConnection", () => ok([aConnection()]));
  answer(START, () => ok([{ job_id: "7", item_count: 2 }]));
  answer(JOB, () => ok([job]));
});

const show = (more = "") => renderPage(<BatchesPage />, { at: `/app/batches?batch=12${more}` });

describe("a batch whose lots have no price", () => {
  it("is priced first, since the marketplace takes no lot without a price", async () => {
    const unpriced = { ...stats, lots_without_price: 2 };
    answer("GET /api/batches/12", () => ok([{ ...batch, stats: unpriced }]));
    answer("POST /api/batches/12/reprice", never);
    const { user } = show();

    await user.click(await screen.findByRole("button", { name: "Price 2 lots" }));
    expect(await screen.findByRole("dialog", { name: "Re-price 2 lots" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "List 2 lots", hidden: true })).toBeNull();
  });
});

describe("listing a batch", () => {
  it("is asked for by the address that home's line opens", async () => {
    const { router } = show("&list=1");

    expect(await screen.findByRole("dialog", { name: "List 2 lots" })).toBeInTheDocument();
    expect(router.state.location.search).toBe("?batch=12");
  });

  it("asks where to, tells the calls that are left, and shows how far it is", async () => {
    const { user, router } = show();
    await screen.findByText("Brick 2 x 4");
    // The foot's sums are cached beside the rows that are marked as being listed.
    await screen.findByText("value");

    await user.click(await screen.findByRole("button", { name: "List 2 lots" }));
    const dialog = within(await screen.findByRole("dialog", { name: "List 2 lots" }));
    expect(await dialog.findByText(/4,788 calls are left/)).toBeInTheDocument();
    expect(sent(START)).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "List" }));

    expect(await screen.findByRole("dialog", { name: "Listing" })).toBeInTheDocument();
    expect(await screen.findByText("1 of 2")).toBeInTheDocument();
    expect(sent(START)[0]?.body).toEqual({ batch_id: 12, items: "all", stockroom: "" });
    expect(router.state.location.search).toContain("listing=7");
  });

  it("goes into a stockroom where that is chosen", async () => {
    const { user } = show();
    await screen.findByText("Brick 2 x 4");
    await user.click(screen.getByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "List…" }));

    const dialog = within(await screen.findByRole("dialog", { name: "List 1 lot" }));
    await user.click(dialog.getByText("Stockroom"));
    await user.selectOptions(dialog.getByRole("combobox", { name: "Which stockroom" }), "B");
    await user.click(dialog.getByRole("button", { name: "List" }));

    await waitFor(() =>
      expect(sent(START)[0]?.body).toEqual({ batch_id: 12, items: [101], stockroom: "B" }),
    );
  });

  it("marks its rows and its batch before the server has answered", async () => {
    answer(START, never);
    const { user } = show();
    await screen.findByText("Brick 2 x 4");

    await user.click(await screen.findByRole("button", { name: "List 2 lots" }));
    const dialog = within(await screen.findByRole("dialog", { name: "List 2 lots" }));
    await user.click(dialog.getByRole("button", { name: "List" }));

    expect(await screen.findByText("Listing")).toBeInTheDocument();
    expect(screen.getByText("Listing…")).toBeInTheDocument();
  });

  it("says why nothing can be listed, and leaves the rows as they were", async () => {
    answer(START, () => refusal(409, "CONFLICT", "Connect your store first"));
    const { user } = show();
    await screen.findByText("Brick 2 x 4");

    await user.click(await screen.findByRole("button", { name: "List 2 lots" }));
    const dialog = within(await screen.findByRole("dialog", { name: "List 2 lots" }));
    await user.click(dialog.getByRole("button", { name: "List" }));

    expect(await dialog.findByText("Connect your store first")).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText("Listing…")).toBeNull());
  });

  it("is not offered again while it runs", async () => {
    answer("GET /api/batches/12", () => ok([{ ...batch, isListing: true }]));
    show();
    await screen.findByText("Brick 2 x 4");

    expect(await screen.findByRole("button", { name: "List 2 lots" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    expect(screen.getByText("Listing")).toBeInTheDocument();
  });
});

describe("the result of a listing", () => {
  const ended = (changes: object) =>
    answer(JOB, () => ok([{ ...job, state: "succeeded", done: 2, result, ...changes }]));

  it("lists what was refused with its reason, and asks where to before it tries again", async () => {
    ended({ failed: [refused], failed_count: 1 });
    const { user } = show("&listing=7");

    const dialog = await screen.findByRole("dialog", { name: "1 listed, 1 refused" });
    const row = within(dialog).getByRole("row", { name: /3001 Red/ });
    expect(row).toHaveTextContent("101");
    expect(row).toHaveTextContent("A price of 0");
    expect(within(dialog).getByRole("button", { name: "Copy list" })).toBeInTheDocument();
    await user.click(within(dialog).getByRole("button", { name: "Retry these…" }));
    const again = within(await screen.findByRole("dialog", { name: "List 1 lot" }));
    await user.click(again.getByRole("button", { name: "List" }));

    await waitFor(() => expect(sent(START)[0]?.body).toMatchObject({ items: [101] }));
  });

  it("does not send again what may be in the store", async () => {
    const unknown = { ...refused, id: 102, outcome: "unknown", reason: "No answer" };
    ended({ failed: [unknown], failed_count: 1 });
    show("&listing=7");

    await screen.findByText("No answer");
    expect(screen.queryByRole("button", { name: "Retry these…" })).toBeNull();
  });

  it("waits for the store to be read again where calls got no answer", async () => {
    ended({ result: { ...result, unknown_count: 1, settle_job_id: "8" } });
    answer("GET /api/jobs/8", () =>
      ok([{ ...job, id: "8", kind: "batches.settle_listings", state: "queued", total: 1 }]),
    );
    show("&listing=7");

    await screen.findByRole("dialog", { name: "1 listed, 1 not known yet" });
    expect(await screen.findByText("Some calls got no answer")).toBeInTheDocument();
  });

  it("opens a refused row to be mended", async () => {
    ended({ failed: [refused], failed_count: 1 });
    answer("GET /api/batchItems/101", () => ok([stowed]));
    const { user } = show("&listing=7");

    await user.click(await screen.findByRole("button", { name: "Open 3001 Red" }));

    expect(await screen.findByRole("dialog", { name: "Brick 2 x 4" })).toBeInTheDocument();
  });

  it("goes on where it stopped", async () => {
    ended({ state: "failed", message: "The secrets were refused", result: {} });
    answer("POST /api/jobs/7/retry", () => ok([job]));
    const { user } = show("&listing=7");

    expect(await screen.findByText("The secrets were refused")).toBeInTheDocument();
    answer(JOB, () => ok([job]));
    await user.click(screen.getByRole("button", { name: "Go on" }));

    await waitFor(() => expect(sent("POST /api/jobs/7/retry")).toHaveLength(1));
    expect(await screen.findByRole("dialog", { name: "Listing" })).toBeInTheDocument();
  });
});
