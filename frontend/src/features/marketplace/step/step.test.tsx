import { screen, waitFor, within } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, sent } from "@/shared/testing/server";
import { StorePage } from "../StorePage";
import { aConnection, aSync, noDifference } from "../testing/builders";
import type { Conflict, Schedule } from "./model";

const SCHEDULE = "GET /api/marketplace/schedule";
const SAVE = "PATCH /api/marketplace/schedule";
const NOW = "POST /api/marketplace/syncs/now";
const CONFLICTS = "GET /api/marketplace/conflicts";
const SETTLE = "POST /api/marketplace/conflicts/settle";

const aSchedule = (given: Partial<Schedule> = {}): Schedule => ({
  minutes: 0,
  conflicts: "mine",
  problem: "",
  changed_lots: 0,
  changed_value: "0.0000",
  questions: 0,
  last: null,
  ...given,
});

const aConflict = (given: Partial<Conflict> = {}): Conflict => ({
  id: 4,
  marketplace_lot_id: 881,
  name: "Red Brick 2 x 4",
  field: "price",
  before: "0.1000",
  here: "0.7500",
  there: "0.3000",
  decision: "open",
  by_rule: false,
  decidedAt: null,
  createdAt: "2026-01-02T03:04:05Z",
  ...given,
});

const aCycle = (given = {}) => aSync({ way: "cycle", state: "applied", ...given });

beforeEach(() => {
  installServer();
  answer("GET /api/marketplaceConnection", () => ok([aConnection()]));
  answer("GET /api/marketplace/listings/runs", () => page([]));
  answer("GET /api/marketplace/syncs", () => page([]));
  answer(SCHEDULE, () => ok([aSchedule()]));
  answer(CONFLICTS, () => page([aConflict()]));
});

const show = (at = "/app/store") => renderPage(<StorePage />, { at });

describe("keeping in step", () => {
  it("names the order that could not be read while the rest was synced", async () => {
    const reason = "Order 7 of the store cannot be read: status is missing.";
    answer(SCHEDULE, () => ok([aSchedule({ last: aCycle({ reason }) })]));
    show();

    expect(await screen.findByText(new RegExp(`^Synced .*${reason}`))).toBeVisible();
  });

  it.each([
    [0, "no difference"],
    [3, "3 rows not in the store"],
  ])(
    "counts a comparison in which nothing differed, %d rows not listed",
    async (missing, words) => {
      const last = aSync({ state: "planned", counts: { ...noDifference, not_listed: missing } });
      answer(SCHEDULE, () => ok([aSchedule({ last })]));
      show();

      expect(await screen.findByText(new RegExp(`^Compared .*: ${words}$`))).toBeVisible();
      expect(screen.queryByText("Not synced yet")).toBeNull();
    },
  );

  it("shows what the last sync did with each of several stores", async () => {
    const choices = aConnection().choices.map((each, place) => ({
      ...each,
      channel_id: place + 1,
      state: "ok" as const,
    }));
    answer("GET /api/marketplaceConnection", () => ok([aConnection({ choices })]));
    const none = {
      ...{ orders: 0, taken: 0, lowered: 0, raised: 0, put_up: 0, changed: 0, removed: 0 },
    };
    const channels = [
      { channel_id: 1, why: "", ...none, lowered: 3, not_sent: 0 },
      { channel_id: 2, why: "BrickOwl: it is away.", ...none, not_sent: 5 },
    ];
    const last = aCycle({ counts: { ...noDifference, sent: 3, channels } });
    answer(SCHEDULE, () => ok([aSchedule({ last })]));
    show();

    const [first, second] = within(await screen.findByRole("table", { name: /What the sync/ }))
      .getAllByRole("row")
      .slice(1);
    expect(first).toHaveTextContent(/Demo store.*3/);
    expect(second).toHaveTextContent(/BrickOwl \(demo\).*left out.*5/);
  });

  it("shows no stores to a person with one", async () => {
    answer(SCHEDULE, () => ok([aSchedule({ last: aCycle() })]));
    show();

    expect(await screen.findByText(/^Synced /)).toBeVisible();
    expect(screen.queryByRole("table", { name: /What the sync/ })).toBeNull();
  });

  it("sends what changed by one press, after words say what cannot be undone", async () => {
    answer(SCHEDULE, () => ok([aSchedule({ changed_lots: 12 })]));
    answer(NOW, () => ok([aCycle({ job_id: null, state: "applying" })]));
    const { user } = show();

    await user.click(await screen.findByRole("button", { name: "Sync now" }));
    expect(await screen.findByText(/what was sent cannot/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Send 12 lots" }));

    await waitFor(() => expect(sent(NOW)).toHaveLength(1));
    expect(sent(NOW)[0]?.body).toEqual({});
    expect(screen.getByRole("link", { name: /12 lots changed since/ })).toHaveAttribute(
      "href",
      "/app/inventory?since_sync=true&show_zero_quantity=true",
    );
  });

  it("wants the number of lots typed that would leave the store", async () => {
    const last = aCycle({ state: "failed", removals: 8, reason: "8 of 9 would be removed." });
    answer(SCHEDULE, () => ok([aSchedule({ changed_lots: 8, last })]));
    answer(NOW, () => ok([aCycle({ job_id: null })]));
    const { user } = show();

    await user.click(await screen.findByRole("button", { name: "Sync now" }));
    await user.type(await screen.findByLabelText("Lots that leave the store"), "8");
    await user.click(screen.getByRole("button", { name: "Send 8 lots" }));

    await waitFor(() => expect(sent(NOW)[0]?.body).toEqual({ confirm_removals: 8 }));
  });

  it("saves how often, and whose value counts", async () => {
    answer(SAVE, () => ok([aSchedule({ minutes: 30 })]));
    const { user } = show();

    await user.selectOptions(await screen.findByLabelText("Sync"), "30");
    await waitFor(() => expect(sent(SAVE)[0]?.body).toEqual({ minutes: 30 }));
    await user.selectOptions(screen.getByLabelText("Changed here and in the store"), "ask");
    await waitFor(() => expect(sent(SAVE)[1]?.body).toEqual({ conflicts: "ask" }));
  });

  it("tells what the last sync came to, and why a schedule waits", async () => {
    const counts = { ...noDifference, changed: 2, sent: 3 };
    answer(SCHEDULE, () =>
      ok([aSchedule({ problem: "Another store.", last: aCycle({ counts }) })]),
    );
    show();

    expect(await screen.findByText(/3 sent, 2 changed here/)).toBeVisible();
    expect(screen.getByText(/Another store\./)).toBeVisible();
  });

  it("lets a person decide, one or all, with an undo where rows change", async () => {
    answer(SETTLE, () => ok([{ settled: 1, act_id: 6 }]));
    const { user } = show("/app/store?tab=questions");

    const table = within(await screen.findByRole("region", { name: "Changed on both sides" }));
    await user.click(table.getByRole("button", { name: /Take theirs: Price of Red Brick/ }));

    await waitFor(() => expect(sent(SETTLE)[0]?.body).toEqual({ decision: "theirs", ids: [4] }));
    answer("POST /api/inventoryActs/6/undo", () => ok([{ act_id: 7 }]));
    const asked = sent(CONFLICTS).length;
    await user.click(await screen.findByRole("button", { name: "Undo" }));

    await waitFor(() => expect(sent(CONFLICTS).length).toBeGreaterThan(asked));
    expect(sent("POST /api/inventoryActs/6/undo")).toHaveLength(1);
  });
});
