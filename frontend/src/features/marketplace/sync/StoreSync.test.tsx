import { screen, waitFor, within } from "@testing-library/react";
import { aJob } from "@/features/jobs/testing/builders";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { aConnection, aDifference, aSync, noDifference } from "../testing/builders";
import type { StoreSync as Sync } from "./model";
import { StoreSync, useStoreSync } from "./StoreSync";

const START = "POST /api/marketplace/syncs";
const APPLY = "POST /api/marketplace/syncs/5/apply";
const LIST = "POST /api/marketplace/listings/stock";
const ROWS = "GET /api/marketplace/syncs/5/rows";

const job = aJob({ id: "9", kind: "batches.apply_store_sync", done: 4, total: 10 });

function OfABatch() {
  const { compare, dialog } = useStoreSync(12);
  return (
    <>
      <button type="button" onClick={compare}>
        Sync
      </button>
      {dialog}
    </>
  );
}

function show(sync: Sync) {
  answer("GET /api/marketplace/syncs/5", () => ok([sync]));
  return renderPage(<StoreSync />, { at: "/app/inventory?storeSync=5" });
}

beforeEach(() => {
  installServer();
  answer("GET /api/marketplaceConnection", () => ok([aConnection()]));
  answer("GET /api/jobs/9", () => ok([job]));
  answer(ROWS, () => page([aDifference()]));
  answer(APPLY, () => ok([aSync({ state: "applying" })]));
});

describe("a sync of stock and store", () => {
  it("compares what one batch stowed, and shows it at its own address", async () => {
    answer(START, () => ok([aSync({ state: "planning", batch_id: 12 })]));
    answer("GET /api/marketplace/syncs/5", () => ok([aSync({ state: "planning" })]));
    const { user, router } = renderPage(<OfABatch />, {
      at: "/app/batches?batch=12",
    });

    await user.click(screen.getByRole("button", { name: "Sync" }));

    await screen.findByRole("dialog", { name: "Comparing stock and store" });
    expect(sent(START)[0]?.body).toEqual({ batch_id: 12 });
    expect(router.state.location.search).toBe("?batch=12&storeSync=5");
  });

  it("opens the one that is at work already", async () => {
    answer(START, () =>
      refusal(409, "CONFLICT", "Already syncing", { data: [{ job_id: "9", id: 5 }] }),
    );
    answer("GET /api/marketplace/syncs/5", () => ok([aSync({ state: "applying" })]));
    const { user } = renderPage(<StoreSync />, { at: "/app/inventory" });

    await user.click(screen.getByRole("button", { name: "Sync" }));

    await screen.findByRole("dialog", { name: "Syncing stock and store" });
    expect(await screen.findByText("4 of 10")).toBeInTheDocument();
  });

  it("tells by kind what differs before anything is done", async () => {
    const changes = [{ field: "price" as const, here: "0.1500", there: "0.1000" }];
    answer(ROWS, ({ query }) =>
      query.get("kind") === "changed"
        ? page([aDifference({ id: 32, kind: "changed", name: "3002 Blue", changes })])
        : page([aDifference()]),
    );
    const { user } = show(
      aSync({ counts: { ...noDifference, sold: 1, changed: 1, not_listed: 4 } }),
    );

    const dialog = within(
      await screen.findByRole("dialog", { name: "What differs between stock and store" }),
    );
    expect(await dialog.findByText(/they were sold, and your stock goes down/)).toBeVisible();
    expect(dialog.getByRole("row", { name: /3001 Red/ })).toHaveTextContent("64");
    expect(dialog.getByText(/4 rows of your stock are not in the store/)).toBeVisible();
    await user.click(dialog.getByRole("tab", { name: /Price and texts/ }));

    const price = await dialog.findByText("Price", { selector: "li *" });
    expect(price.closest("li")).toHaveTextContent("Price0.10becomes0.15");
    expect(sent(APPLY)).toEqual([]);
  });

  it("is applied without the rows that are left out, and shows how far it is", async () => {
    answer(ROWS, () => page([aDifference(), aDifference({ id: 32, name: "3002 Blue" })]));
    const { user } = show(aSync({ counts: { ...noDifference, sold: 2 } }));

    await user.click(await screen.findByRole("checkbox", { name: "Sync 3002 Blue" }));
    answer("GET /api/marketplace/syncs/5", () => ok([aSync({ state: "applying" })]));
    await user.click(screen.getByRole("button", { name: "Sync 1 lot" }));

    await screen.findByRole("dialog", { name: "Syncing stock and store" });
    expect(sent(APPLY)[0]?.body).toEqual({ leave_out: [32] });
  });

  it("wants the number of removals typed, those left out not counted", async () => {
    answer(ROWS, () =>
      page([aDifference({ kind: "gone" }), aDifference({ id: 32, kind: "gone" })]),
    );
    const { user } = show(aSync({ counts: { ...noDifference, gone: 2 }, removals: 2 }));
    expect(await screen.findByRole("button", { name: "Sync 2 lots" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );

    await user.click(
      (await screen.findAllByRole("checkbox", { name: "Sync 3001 Red" }))[0] as HTMLElement,
    );
    await user.type(screen.getByRole("textbox", { name: "Type 1 to go on" }), "1");
    await user.click(screen.getByRole("button", { name: "Sync 1 lot" }));

    await waitFor(() =>
      expect(sent(APPLY)[0]?.body).toEqual({ confirm_removals: 1, leave_out: [31] }),
    );
  });

  it("chooses nothing beforehand where it may be another store", async () => {
    answer(ROWS, () =>
      page([
        aDifference({ kind: "gone" }),
        aDifference({ id: 32, kind: "gone", name: "3002 Red" }),
      ]),
    );
    const { user } = show(
      aSync({
        counts: { ...noDifference, gone: 2 },
        removals: 2,
        suspicion: "2 of the 3 lots that you have for sale are not in this store.",
      }),
    );

    expect(await screen.findByText(/2 of the 3 lots/)).toBeVisible();
    const first = await screen.findByRole("checkbox", { name: "Sync 3001 Red" });
    expect(first).not.toBeChecked();
    await user.click(first);
    await user.type(screen.getByLabelText("Type 1 to go on"), "1");
    await user.click(screen.getByRole("button", { name: "Sync 1 lot" }));

    await waitFor(() => expect(sent(APPLY)[0]?.body).toEqual({ confirm_removals: 1, only: [31] }));
  });

  it("does not call a stock and a store equal that have no lot in common", async () => {
    show(aSync({ counts: { ...noDifference, same: 0, not_listed: 160 } }));

    expect(await screen.findByText(/160 rows of your stock are not in the store/)).toBeVisible();
    expect(screen.queryByText("Stock and store agree")).toBeNull();
  });

  it("lists the rows that the store lacks", async () => {
    answer(LIST, () => ok([{ job_id: "9", item_count: 3 }]));
    const { user, router } = show(
      aSync({ counts: { ...noDifference, same: 0, not_listed: 3 }, batch_id: 12 }),
    );

    await user.click(await screen.findByRole("button", { name: "List 3 rows…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "List 3 rows" }));
    await user.click(dialog.getByRole("button", { name: "List" }));

    await waitFor(() => expect(router.state.location.search).toBe("?listing=9"));
    expect(sent(LIST)[0]?.body).toEqual({
      filter: { listed: "no", is_known: "true", batch: "12" },
      stockroom: "",
    });
  });

  it("does not call a stock equal of which nothing is in the store", async () => {
    show(aSync({ counts: { ...noDifference, same: 0 } }));

    expect(await screen.findByText("Nothing to compare")).toBeVisible();
    expect(screen.queryByText("Stock and store agree")).toBeNull();
  });

  it("says so where nothing differs", async () => {
    show(aSync());

    expect(await screen.findByText("Stock and store agree")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Sync", hidden: false })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
  });

  it("tells what came of it: what was done, and what was not with its reason", async () => {
    answer(ROWS, ({ query }) =>
      query.get("state") === "failed"
        ? page([aDifference({ state: "failed", reason: "The store refused it" })])
        : page(query.get("state") === "applied" ? [aDifference({ state: "applied" })] : []),
    );
    show(aSync({ state: "applied", counts: { ...noDifference, sold: 2 } }));

    await screen.findByRole("dialog", { name: "Stock and store are synced" });
    expect(await screen.findByText("1 lot was brought into line.")).toBeInTheDocument();
    const failed = within(await screen.findByRole("table", { name: "Failed" }));
    expect(failed.getByRole("row", { name: /3001 Red/ })).toHaveTextContent("The store refused it");
  });

  it("says why it failed, and compares the same again", async () => {
    answer(ROWS, () => page([]));
    answer(START, () => ok([aSync({ id: 6, state: "planning", batch_id: 12 })]));
    answer("GET /api/marketplace/syncs/6", () => ok([aSync({ id: 6, state: "planning" })]));
    const { user } = show(aSync({ state: "failed", reason: "The store is closed", batch_id: 12 }));

    expect(await screen.findByText("The store is closed")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Compare again" }));

    await waitFor(() => expect(sent(START)[0]?.body).toEqual({ batch_id: 12 }));
  });
});
