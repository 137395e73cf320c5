import { ApiError, connectionError, RetriesExhaustedError } from "@/shared/api/errors";
import { holdFor, personBack } from "@/shared/lib/person";
import { TRY_AGAIN_MS } from "@/shared/outbox/reach";
import { reloaded } from "@/shared/outbox/testing/random";
import { makeAdded, makeDraft } from "../testing/builders";
import { ChangedElsewhere, type RowChanges, type StowPort, StowSession } from "./sender";
import { counters, type Known, piecesNow, type Row, standing } from "./session";

const NOW = Date.UTC(2026, 0, 31);
const full = new ApiError("CAPACITY_EXCEEDED", "A-01 takes 5 more, not 6.", {
  status: 409,
  data: [{ location_id: 3, name: "A-01", limit: "max_item_count", room: 5, wanted: 6 }],
});

/**
 * A server in memory: stores rows, applies each key once, and can refuse or be unreachable. Reports
 * a row that differs from the version that the page has seen.
 */
class Server implements StowPort {
  readonly rows = new Map<number, Known>();
  readonly calls: string[] = [];
  private readonly keys = new Map<string, Known>();
  private readonly gates: (() => void)[] = [];
  private made = 0;
  private changes = 0;
  refusal: Error | null = null;
  /** The call is carried out, but its answer is lost. */
  losesAnswers = false;
  holds = false;

  async add(row: Row, key: string): Promise<Known> {
    return this.answer(`add ${row.quantity}`, () =>
      this.once(key, () => {
        this.made += 1;
        return this.put(this.made, row.quantity, row.bin?.id ?? null);
      }),
    );
  }
  async change(row: Row, changes: RowChanges, key: string): Promise<Known> {
    const { id, updatedAt } = row.known ?? never();
    return this.answer(`change ${JSON.stringify(changes)}`, () =>
      this.once(key, () => {
        const now = this.rows.get(id) ?? never();
        const isCounted = changes.quantity !== undefined;
        if (isCounted && now.updatedAt !== updatedAt) {
          throw new ChangedElsewhere(now, binOf(now.binId));
        }
        return this.put(id, changes.quantity ?? now.quantity, changes.binId ?? now.binId);
      }),
    );
  }
  async stow(row: Row): Promise<Known> {
    const known = row.known ?? never();
    return this.answer("stow", () => {
      const stowed = { ...known, isStowed: true };
      this.rows.set(known.id, stowed);
      return stowed;
    });
  }
  async remove(row: Row): Promise<void> {
    await this.answer("remove", () => this.rows.delete((row.known ?? never()).id));
  }
  release(): void {
    this.holds = false;
    for (const open of this.gates.splice(0)) open();
  }
  put(id: number, quantity: number, binId: number | null): Known {
    this.changes += 1;
    const known = { id, quantity, binId, isStowed: false, updatedAt: `change ${this.changes}` };
    this.rows.set(id, known);
    return known;
  }
  private once(key: string, act: () => Known): Known {
    const known = this.keys.get(key) ?? act();
    this.keys.set(key, known);
    return known;
  }
  private async answer<Result>(call: string, act: () => Result): Promise<Result> {
    this.calls.push(call);
    if (this.holds) await new Promise<void>((open) => this.gates.push(open));
    if (this.refusal && !this.losesAnswers) throw this.refusal;
    const result = act();
    if (this.refusal) throw this.refusal;
    return result;
  }
}

const binOf = (id: number | null) => (id === null ? null : { id, name: `bin ${id}` });

const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};
/** Each key is a lot of its own. */
const lotOf = (key: string) => makeDraft({ lotId: key.charCodeAt(0) });
const begin = () => {
  const server = new Server();
  const session = new StowSession(server);
  const add = (key: string, quantity = 1, stow = false) =>
    session.add(makeAdded({ key, quantity, stow, draft: lotOf(key) }), NOW);
  const set = (key: string, quantity: number) => session.setQuantity(key, quantity, NOW);
  const row = (key: string) =>
    session.store.getState().rows.find((each) => each.key === key) ?? never();
  const mark = (key: string) => standing(row(key), session.store.getState().isAway);
  const held = () => [...server.rows.values()].map(({ quantity }) => quantity);
  return { server, session, add, set, row, mark, held };
};

describe("a stow session", () => {
  it("shows a row at once, and knows it once the server does", async () => {
    const { add, row, server, mark } = begin();
    server.holds = true;

    add("a", 3);
    const before = mark("a");
    server.release();
    await settle();

    expect(before).toBe("sending");
    expect(mark("a")).toBe("saved");
    expect(row("a").known).toMatchObject({ id: 1, quantity: 3, binId: 3, isStowed: false });
  });

  it("sends in the order of the acts, one at a time", async () => {
    const { add, server } = begin();
    server.holds = true;

    add("a", 1);
    add("b", 2);
    await settle();
    const first = [...server.calls];
    server.release();
    await settle();

    expect(first).toEqual(["add 1"]);
    expect(server.calls).toEqual(["add 1", "add 2"]);
  });

  it("melts quick presses together", async () => {
    const { add, set, server, held } = begin();
    server.holds = true;

    add("a", 1);
    await settle();
    for (const quantity of [2, 3, 4]) set("a", quantity);
    server.release();
    await settle();

    expect(server.calls).toEqual(["add 1", 'change {"quantity":4}']);
    expect(held()).toEqual([4]);
  });

  it("takes back an add whose answer was not there yet", async () => {
    const { add, session, server, held } = begin();
    server.holds = true;

    add("a");
    await settle();
    session.undo(NOW);
    server.release();
    await settle();

    expect(server.calls).toEqual(["add 1", "remove"]);
    expect(held()).toEqual([]);
  });

  it("never sends what was taken back before its turn", async () => {
    const { add, session, server } = begin();
    server.holds = true;

    add("a");
    add("b");
    session.undo(NOW);
    server.release();
    await settle();

    expect(server.calls).toEqual(["add 1"]);
  });

  it("makes a row again under a new key after it was removed", async () => {
    const { add, set, held } = begin();
    add("a", 2);
    await settle();

    set("a", 0);
    await settle();
    set("a", 2);
    await settle();

    expect(held()).toEqual([2]);
  });

  it("puts equal adds into one row, which an undo takes back one by one", async () => {
    const server = new Server();
    const session = new StowSession(server);
    const quantities = () => session.store.getState().rows.map(({ quantity }) => quantity);

    session.add(makeAdded({ key: "a", quantity: 2 }), 1);
    session.add(makeAdded({ key: "b", quantity: 3 }), 2);
    await settle();
    expect(quantities()).toEqual([5]);
    expect(counters(session.store.getState())).toMatchObject({ pieces: 5, lots: 1 });
    session.setQuantity("a", 6, 3);
    session.undo(4);
    session.undo(5);
    await settle();

    expect(quantities()).toEqual([2]);
    expect(session.store.getState().rows[0]?.known?.quantity).toBe(2);
  });

  it.each([
    ["price", { draft: makeDraft({ price: "0.1300" }) }],
    ["condition", { draft: makeDraft({ condition: "N" }) }],
    ["batch", { draft: makeDraft({ batchId: 8 }) }],
    ["bin", { bin: { id: 4, name: "A-02" } }],
    ["way", { stow: true }],
  ] as const)("keeps a row of its own for another %s", (_, other) => {
    const session = new StowSession(new Server());

    session.add(makeAdded({ key: "a" }), 1);
    session.add(makeAdded({ key: "b", ...other }), 2);

    expect(session.store.getState().rows.map(({ key }) => key)).toEqual(["b", "a"]);
  });

  it("takes the newest add to a row back from the row itself, then all of it", async () => {
    const session = new StowSession(new Server());
    session.add(makeAdded({ key: "a", quantity: 2 }), 1);
    session.add(makeAdded({ key: "b", quantity: 3 }), 2);

    session.takeBack("a", 3);
    expect(session.store.getState().rows[0]?.quantity).toBe(2);
    session.takeBack("a", 4);

    expect(session.store.getState().rows[0]?.quantity).toBe(0);
  });

  it("counts only its own pieces of a row that was there, and takes only those back", async () => {
    const server = new Server();
    const join = jest.fn((row: Row) => ({ ...server.put(9, row.quantity + 4, 3), joined: 4 }));
    const session = new StowSession({
      add: async (row) => join(row),
      change: (row, changes, key) => server.change(row, changes, key),
      stow: (row) => server.stow(row),
      remove: (row) => server.remove(row),
    });

    session.add(makeAdded({ key: "a", quantity: 3 }), 1);
    await settle();
    expect(join.mock.calls[0]?.[0].join).toBe(true);
    expect(session.store.getState().rows[0]).toMatchObject({ quantity: 7, startedWith: 4 });
    expect(counters(session.store.getState())).toMatchObject({ pieces: 3, lots: 1 });
    session.undo(2);

    expect(session.store.getState().rows[0]?.quantity).toBe(4);
  });

  it("stows a direct row right after it was added", async () => {
    const { add, row, server } = begin();

    add("a", 1, true);
    await settle();

    expect(server.calls).toEqual(["add 1", "stow"]);
    expect(row("a").known?.isStowed).toBe(true);
  });

  it("leaves a refusal with its row and goes on with the others", async () => {
    const { add, row, server, held } = begin();
    server.refusal = full;
    add("a", 6);
    await settle();

    server.refusal = null;
    add("b", 2);
    await settle();

    expect(row("a").problem).toEqual({
      what: "add",
      code: "CAPACITY_EXCEEDED",
      text: "A-01 takes 5 more, not 6.",
      canOverride: true,
      fits: 5,
    });
    expect(held()).toEqual([2]);
  });

  it("tries a refused row again when asked, or when another bin is chosen", async () => {
    const { add, row, server, session, held } = begin();
    server.refusal = full;
    add("a", 6);
    await settle();
    session.retry("a");
    await settle();
    server.refusal = null;

    session.setBin("a", { id: 4, name: "A-02" });
    await settle();

    expect(server.calls).toEqual(["add 6", "add 6", "add 6"]);
    expect(row("a").known?.binId).toBe(4);
    expect(held()).toEqual([6]);
  });

  it.each([
    [[{ can_override: false }]],
    [[{ failed: [{ id: 1, limits: [{ can_override: true }, { can_override: false }] }] }]],
  ])("does not offer to pass the limits of a bin that is marked full: %j", async (data) => {
    const { add, row, server } = begin();
    server.refusal = new ApiError("CAPACITY_EXCEEDED", "A-01 is marked full.", { data });

    add("a");
    await settle();

    expect(row("a").problem?.canOverride).toBe(false);
  });

  it.each([
    ["by number", [{ limit: "max_item_count", room: "5", wanted: "6" }], 5],
    ["by weight", [{ limit: "max_total_weight", room: "9.9", wanted: "13.8" }], 4],
    [
      "by the tighter of two",
      [
        { limit: "max_item_count", room: "5", wanted: "6" },
        { limit: "max_total_weight", room: "2.3", wanted: "13.8" },
      ],
      1,
    ],
    ["none of a kind that it does not take", [{ limit: "max_item_weight", room: "1" }], 0],
  ])("tells how many of them the bin takes: %s", async (_, data, fits) => {
    const { add, row, server } = begin();
    server.refusal = new ApiError("CAPACITY_EXCEEDED", "too many", { data });

    add("a", 6);
    await settle();

    expect(row("a").problem?.fits).toBe(fits);
  });

  it("forgets a refusal of a quantity that is not wanted any more", async () => {
    const { add, set, row, server, mark } = begin();
    add("a", 5);
    await settle();
    server.holds = true;
    server.refusal = full;

    set("a", 6);
    set("a", 5);
    server.release();
    await settle();

    expect(row("a").problem).toBeNull();
    expect(mark("a")).toBe("saved");
  });

  it("counts on from what another tab made of the row, back and forth", async () => {
    const { add, set, server, session, held, mark } = begin();
    add("a", 12);
    await settle();
    server.put(1, 15, 3);

    set("a", 14);
    await settle();
    const both = held();
    session.undo(NOW);
    await settle();

    expect(both).toEqual([17]);
    expect(held()).toEqual([15]);
    expect(mark("a")).toBe("saved");
  });

  it("keeps what another tab counted when only the bin is changed", async () => {
    const { add, row, server, session, held } = begin();
    add("a", 12);
    await settle();
    server.put(1, 15, 3);

    session.setBin("a", { id: 4, name: "A-02" });
    await settle();

    expect(held()).toEqual([15]);
    expect(row("a")).toMatchObject({ quantity: 15, known: { binId: 4 } });
  });

  it("tells what came of each call", async () => {
    const { add, session, server } = begin();
    const heard: string[] = [];
    session.onOutcome(({ row, did, problem }) =>
      heard.push(`${row.key} ${did} ${problem?.code ?? "ok"}`),
    );

    add("a");
    await settle();
    server.refusal = full;
    add("b");
    await settle();

    expect(heard).toEqual(["a add ok", "b add CAPACITY_EXCEEDED"]);
  });
});

describe("a stow session without a connection", () => {
  const away = new RetriesExhaustedError(3, "batchItems", 4, connectionError(null));
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([
    ["as the line is down", away, () => jest.advanceTimersByTime(TRY_AGAIN_MS)],
    [
      "as the session has ended",
      new ApiError("NOT_AUTHENTICATED", "No.", { status: 401 }),
      personBack,
    ],
  ])("keeps rows as unsent %s and sends them by itself later", async (_, trouble, later) => {
    const { add, server, held, mark } = begin();
    server.refusal = trouble;
    add("a", 2);
    await settle();
    const meanwhile = mark("a");
    server.refusal = null;

    later();
    await settle();

    expect(meanwhile).toBe("unsent");
    expect(held()).toEqual([2]);
  });

  it.each([
    ["a redo without anything to do again", (session: StowSession) => session.redo(NOW)],
    ["a change of a row that is gone", (session: StowSession) => session.setQuantity("-", 3, NOW)],
  ])("sends them by itself after %s, too", async (_, act) => {
    const { add, session, server, held } = begin();
    server.refusal = away;
    add("a", 2);
    await settle();

    act(session);
    await settle();
    server.refusal = null;
    jest.advanceTimersByTime(TRY_AGAIN_MS);
    await settle();

    expect(held()).toEqual([2]);
  });

  it("sends at once when the connection is back", async () => {
    const { add, server, session, held } = begin();
    server.refusal = connectionError(null);
    add("a");
    await settle();
    server.refusal = null;

    session.sendNow();
    await settle();

    expect(held()).toEqual([1]);
  });

  it("adds once, although the answer to the first try was lost", async () => {
    const { add, server, session, held } = begin();
    server.refusal = away;
    server.losesAnswers = true;
    add("a", 3);
    await settle();
    server.refusal = null;

    session.sendNow();
    await settle();

    expect(server.calls).toEqual(["add 3", "add 3"]);
    expect(held()).toEqual([3]);
  });

  it("repeats an add to the letter, and changes the quantity after it", async () => {
    const { add, set, server, session, held } = begin();
    server.refusal = away;
    server.losesAnswers = true;
    add("a", 3);
    await settle();

    set("a", 4);
    await settle();
    server.refusal = null;
    session.sendNow();
    await settle();

    expect(server.calls).toEqual(["add 3", "add 3", "add 3", 'change {"quantity":4}']);
    expect(held()).toEqual([4]);
  });

  it("removes what was taken back although nobody knew whether it had arrived", async () => {
    const { add, server, session, held } = begin();
    server.refusal = away;
    server.losesAnswers = true;
    add("a", 3);
    await settle();

    session.undo(NOW);
    await settle();
    server.refusal = null;
    session.sendNow();
    await settle();

    expect(server.calls.slice(-2)).toEqual(["add 3", "remove"]);
    expect(held()).toEqual([]);
  });

  const lose = async (server: Server, act: () => void) => {
    server.refusal = away;
    server.losesAnswers = true;
    act();
    await settle();
  };
  const comeBack = async (server: Server, session: { sendNow: () => void }) => {
    server.refusal = null;
    server.losesAnswers = false;
    session.sendNow();
    await settle();
  };

  it("counts a change once, although the answer to its first try was lost", async () => {
    const { add, set, server, session, held } = begin();
    add("a", 12);
    await settle();

    await lose(server, () => set("a", 15));
    await comeBack(server, session);

    expect(held()).toEqual([15]);
  });

  it("takes a change back although nobody knew whether it had arrived", async () => {
    const { add, set, server, session, held } = begin();
    add("a", 12);
    await settle();

    await lose(server, () => set("a", 15));
    session.undo(NOW);
    await settle();
    await comeBack(server, session);

    expect(held()).toEqual([12]);
  });

  it("makes again what was removed without anybody knowing", async () => {
    const { add, set, server, session, held } = begin();
    add("a", 3);
    await settle();

    await lose(server, () => set("a", 0));
    session.undo(NOW);
    await settle();
    await comeBack(server, session);

    expect(held()).toEqual([3]);
  });

  it("lets what waited go as soon as anything gets through", async () => {
    const { add, server, held } = begin();
    server.refusal = away;
    add("a", 1);
    await settle();
    server.refusal = null;

    add("b", 2);
    await settle();

    expect(held().toSorted()).toEqual([1, 2]);
  });

  it("forgets everything when the person leaves", async () => {
    const { add, server, session } = begin();
    server.refusal = away;
    add("a");
    await settle();

    session.forget();
    server.refusal = null;
    jest.advanceTimersByTime(TRY_AGAIN_MS);
    await settle();

    expect(session.store.getState().rows).toEqual([]);
    expect(server.calls).toEqual(["add 1"]);
  });
});

function never(): never {
  throw new Error("the row is missing");
}

describe("the steps of a tab", () => {
  beforeEach(() => {
    sessionStorage.clear();
    holdFor(1);
  });

  /** The station after a reload. */
  const reload = async (before: ReturnType<typeof begin>) => {
    reloaded(() => before.session.forget(), before.session);
    const session = new StowSession(before.server);
    await session.resume();
    await settle();
    return session;
  };
  const quantities = (session: StowSession) =>
    session.store.getState().rows.map(({ key, quantity }) => [key, quantity]);

  it("are undone and redone by the page after a reload", async () => {
    const before = begin();
    before.add("a", 2);
    before.set("a", 5);
    before.add("b", 1);
    await settle();

    const session = await reload(before);
    session.undo(NOW);
    session.undo(NOW);
    await settle();
    expect(before.held()).toEqual([2]);
    session.redo(NOW);
    await settle();

    expect(before.held()).toEqual([5]);
    expect(counters(session.store.getState()).pieces).toBe(0);
  });

  it("leave what another page changed since", async () => {
    const before = begin();
    before.add("a", 2);
    before.set("a", 5);
    await settle();
    before.server.put(1, 9, null);

    const session = await reload(before);
    session.undo(NOW);
    await settle();

    expect(before.held()).toEqual([6]);
    expect(quantities(session)).toEqual([["a", 6]]);
  });

  it("undo once what was not sent", async () => {
    const before = begin();
    before.server.refusal = connectionError(null);
    before.add("a", 2);
    await settle();

    before.server.refusal = null;
    const session = await reload(before);
    expect(before.held()).toEqual([2]);
    session.undo(NOW);
    await settle();

    expect([before.held(), quantities(session)]).toEqual([[], [["a", 0]]]);
  });

  it("leave the bin that another page planned since", async () => {
    const before = begin();
    before.add("a", 2);
    await settle();
    before.server.put(1, 2, 4);

    const session = await reload(before);
    session.setQuantity("a", 3, NOW);
    await settle();

    expect(before.server.rows.get(1)).toMatchObject({ quantity: 3, binId: 4 });
    expect(session.store.getState().rows).toMatchObject([{ bin: { id: 4, name: "bin 4" } }]);
  });

  it.each([
    ["an add", (station: ReturnType<typeof begin>) => station.add("c", 4), 47],
    ["the removal of the oldest row", ({ set }: ReturnType<typeof begin>) => set("a", 0), 41],
  ])("count once the pieces of %s that was on its way", async (_, act, pieces) => {
    const before = begin();
    before.add("a", 2);
    before.add("b", 1);
    await settle();
    before.server.holds = true;
    act(before);

    const session = await reload(before);

    expect(piecesNow(session.store.getState(), 7)).toBe(pieces);
  });
});
