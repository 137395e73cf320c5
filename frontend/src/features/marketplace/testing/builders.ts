/** What the server sends of a store; a test names what it is about. */
import type { ListingRun } from "../history/rules";
import type { Connection, PriceRule } from "../model";
import type { StoreSync, SyncDifference } from "../sync/model";

export function aConnection(given: Partial<Connection> = {}): Connection {
  return {
    marketplace: "bricklink",
    marketplace_name: "Demo store",
    is_demo: true,
    has_prices: true,
    mark: "BL",
    is_paused: false,
    needs_plan: false,
    readAt: null,
    choices: [
      {
        marketplace: "bricklink",
        marketplace_name: "Demo store",
        is_demo: true,
        has_prices: true,
        mark: "BL",
        channel_id: 1,
        is_paused: false,
        state: "ok",
      },
      {
        marketplace: "brickowl",
        marketplace_name: "BrickOwl (demo)",
        is_demo: true,
        has_prices: false,
        mark: "BO",
        channel_id: null,
        is_paused: false,
        state: "none",
      },
    ],
    state: "ok",
    has_store: given.is_demo !== false || given.state !== "none",
    problem: "",
    outgoing_address: "",
    connectedAt: "2026-01-30T10:00:00Z",
    testedAt: null,
    guide_share: 80,
    calls: {
      used: 12,
      limit: 5000,
      left: 4788,
      resetsAt: "2026-02-01T00:00:00Z",
      kinds: [
        { kind: "stock", name: "Stock changes", used: 0, limit: 4800, left: 4788 },
        { kind: "lookup", name: "Look-ups", used: 12, limit: 2000, left: 1988 },
      ],
    },
    ...given,
  };
}

export function aPriceRule(given: Partial<PriceRule> = {}): PriceRule {
  return {
    basis: "reference",
    nth: 1,
    fallback: "",
    ending: "0.0000",
    maximum: null,
    max_step: null,
    is_nightly: false,
    region: "global",
    percent: "0.00",
    rounding: "0.0100",
    minimum: "0.0100",
    without_data: "keep",
    low_value: "0.0500",
    high_value: "1.0000",
    updatedAt: null,
    ...given,
  };
}

/** The counts of a comparison in which three lots agree and nothing differs. */
export const noDifference: StoreSync["counts"] = {
  sold: 0,
  gone: 0,
  lowered: 0,
  raised: 0,
  put_up: 0,
  removed: 0,
  changed: 0,
  linked: 0,
  taken: 0,
  same: 3,
  known: 3,
  not_listed: 0,
  orders: 0,
  created: 0,
  zeroed: 0,
  uploaded: 0,
  conflicts: 0,
  sent: 0,
  not_sent: 0,
  calls: 0,
};

export function aSync(given: Partial<StoreSync> = {}): StoreSync {
  return {
    id: 5,
    batch_id: null,
    batch_name: null,
    way: "compare",
    is_scheduled: false,
    import_id: null,
    state: "planned",
    job_id: "9",
    counts: noDifference,
    removals: 0,
    suspicion: "",
    reason: "",
    appliedAt: null,
    createdAt: "2026-01-02T03:04:05Z",
    updatedAt: "2026-01-02T03:04:05Z",
    ...given,
  };
}

export function aDifference(given: Partial<SyncDifference> = {}): SyncDifference {
  return {
    id: 31,
    channel_id: 1,
    kind: "sold",
    name: "3001 Red",
    marketplace_lot_id: 881,
    quantity_here: 6,
    quantity_there: 4,
    changes: [],
    state: "planned",
    reason: "",
    ...given,
  };
}

export function aRun(given: Partial<ListingRun> = {}): ListingRun {
  return {
    id: "11111111-1111-4111-8111-111111111111",
    act: "items",
    batch_id: 12,
    batch_name: "Attic",
    state: "succeeded",
    done: 12,
    total: 12,
    message: "",
    item_count: 12,
    created: 10,
    topped_up: 2,
    moved: null,
    unknown_count: 0,
    calls: 4,
    failed_count: 0,
    createdAt: "2026-01-02T03:04:05Z",
    finishedAt: "2026-01-02T03:04:09Z",
    ...given,
  };
}
