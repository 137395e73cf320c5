import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { ApiError, connectionError } from "@/shared/api/errors";
import { holdFor } from "@/shared/lib/person";
import { KeptRequests } from "@/shared/outbox/keptRequests";
import { Browser, settled } from "@/shared/outbox/testing/tabs";
import { BatchServer } from "../testing/batchServer";
import { makeAdded, makeDraft } from "../testing/builders";
import { type Outcome, StowSession } from "./sender";
import { counters, difference, piecesNow, standing } from "./session";

const PERSON = 1;
const NOW = Date.UTC(2026, 0, 31);
const away = connectionError(null);
const full = new ApiError("CAPACITY_EXCEEDED", "A-01 takes 5 more, not 6.", {
  status: 409,
  data: [{ location_id: 3, name: "A-01", limit: "max_item_count", room: 5, wanted: 6 }],
});

let server: BatchServer;
let browser: Browser;
beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  sessionStorage.clear();
  holdFor(PERSON);
  server = new BatchServer();
  browser = new Browser(server);
});
afterEach(() => {
  for (const tab of browser.tabs) browser.shut(tab);
});

/** Each key is a lot of its own. */
const lotOf = (key: string) => makeDraft({ lotId: key.charCodeAt(0) });
const held = () => [...server.rows.values()].map(({ qty }) => qty);

/** The station in a tab of its own. */
function begin() {
  const tab = browser.open(PERSON);
  const session = new StowSession(tab);
  session.isShown = true;
  const rows = () => session.store.getState().rows;
  const row = (key: string) => rows().find((each) => each.key === key) ?? never();
  const requests = () => tab.store.getState().requests;
  return {
    tab,
    session,
    rows,
    row,
    requests,
    add: (key: string, quantity = 1, stow = false) =>
      session.add(makeAdded({ key, quantity, stow, draft: lotOf(key) }), NOW),
    set: (key: string, quantity: number) => session.setQuantity(key, quantity, NOW),
    mark: (key: string) => standing(row(key), session.store.getState().isAway),
    /** All is answered, and shown as it is stored. */
    done: () =>
      settled(
        () =>
          requests().every(({ refusal }) => refusal) &&
          rows().every((each) => each.problem || difference(each) === null),
      ),
    isAway: () => settled(() => tab.store.getState().waitsFor !== null),
    waits: (count: number) => settled(() => requests().length === count),
    close: () => {
      session.keepSteps();
      session.end();
      browser.shut(tab);
    },
  };
}
const arrived = (calls: number) => settled(() => server.calls.length === calls);

describe("a stow session", () => {
  it("shows a row at once, and knows it once the server does", async () => {
    const { add, row, mark, done } = begin();
    server.hold();

    void add("a", 3);
    expect(mark("a")).toBe("sending");
    await arrived(1);
    server.release();
    await done();

    expect(mark("a")).toBe("saved");
    expect(row("a").known).toEqual({ id: 1, quantity: 3, binId: 3, isStowed: false });
  });

  it("sends in the order of the acts, one at a time", async () => {
    const { add, done, waits } = begin();
    server.hold();

    void add("a", 1);
    void add("b", 2);
    await waits(2);
    await arrived(1);
    expect(server.calls).toEqual(["add 1"]);
    server.release();
    await done();

    expect(server.calls).toEqual(["add 1", "add 2"]);
  });

  it("melts quick presses together", async () => {
    const { add, set, done } = begin();
    server.hold();

    void add("a", 1);
    await arrived(1);
    for (const quantity of [2, 3, 4]) set("a", quantity);
    server.release();
    await done();

    expect(held()).toEqual([4]);
    expect(server.calls.length).toBeLessThan(4);
  });

  it("takes back an add whose answer was not there yet", async () => {
    const { add, session, done, waits } = begin();
    server.hold();

    void add("a");
    await arrived(1);
    session.undo(NOW);
    await waits(2);
    server.release();
    await done();

    expect(server.calls).toEqual(["add 1", "count -1"]);
    expect(held()).toEqual([]);
  });

  it("never sends what was taken back before its turn", async () => {
    const { add, session, done, waits } = begin();
    server.hold();

    void add("a");
    await arrived(1);
    await add("b");
    session.undo(NOW);
    await waits(1);
    server.release();
    await done();

    expect(server.calls).toEqual(["add 1"]);
  });

  it("makes a row again after it was removed", async () => {
    const { add, set, done } = begin();
    await add("a", 2);
    await done();

    set("a", 0);
    await done();
    set("a", 2);
    await done();

    expect(held()).toEqual([2]);
  });

  it("puts equal adds into one row, which an undo takes back one by one", async () => {
    const { session, rows, done } = begin();
    const quantities = () => rows().map(({ quantity }) => quantity);

    void session.add(makeAdded({ key: "a", quantity: 2 }), 1);
    void session.add(makeAdded({ key: "b", quantity: 3 }), 2);
    await done();
    expect(quantities()).toEqual([5]);
    expect(counters(session.store.getState())).toMatchObject({ pieces: 5, lots: 1 });
    session.setQuantity("a", 6, 3);
    session.undo(4);
    session.undo(5);
    await done();

    expect(quantities()).toEqual([2]);
    expect(held()).toEqual([2]);
  });

  it.each([
    ["price", { draft: makeDraft({ price: "0.1300" }) }],
    ["condition", { draft: makeDraft({ condition: "N" }) }],
    ["batch", { draft: makeDraft({ batchId: 8 }) }],
    ["bin", { bin: { id: 4, name: "A-02" } }],
    ["way", { stow: true }],
  ] as const)("keeps a row of its own for another %s", (_, other) => {
    const { session, rows } = begin();

    void session.add(makeAdded({ key: "a" }), 1);
    void session.add(makeAdded({ key: "b", ...other }), 2);

    expect(rows().map(({ key }) => key)).toEqual(["b", "a"]);
  });

  it("takes the newest add to a row back from the row itself, then all of it", () => {
    const { session, rows } = begin();
    void session.add(makeAdded({ key: "a", quantity: 2 }), 1);
    void session.add(makeAdded({ key: "b", quantity: 3 }), 2);

    session.takeBack("a", 3);
    expect(rows()[0]?.quantity).toBe(2);
    session.takeBack("a", 4);

    expect(rows()[0]?.quantity).toBe(0);
  });

  it("counts only its own pieces of a row that was there, and takes only those back", async () => {
    server.put({ id: 9, qty: 4, binId: 3, isStowed: false });
    const { session, rows, done } = begin();

    void session.add(makeAdded({ key: "a", quantity: 3 }), 1);
    await done();
    expect(rows()[0]).toMatchObject({ quantity: 7, startedWith: 4 });
    expect(counters(session.store.getState())).toMatchObject({ pieces: 3, lots: 1 });
    session.undo(2);
    await done();

    expect(rows()[0]?.quantity).toBe(4);
    expect(held()).toEqual([4]);
  });

  it("leaves the pieces of others where an add is taken back before its answer", async () => {
    server.put({ id: 9, qty: 4, binId: 3, isStowed: false });
    const { session, row, done, waits } = begin();
    server.hold();

    void session.add(makeAdded({ key: "a", quantity: 3 }), 1);
    await arrived(1);
    session.undo(2);
    await waits(2);
    server.release();
    await done();

    expect(held()).toEqual([4]);
    expect(row("a")).toMatchObject({ quantity: 4, startedWith: 4 });
  });

  it("stows a direct row right after it was added", async () => {
    const { add, row, done } = begin();

    void add("a", 1, true);
    await done();

    expect(server.calls).toEqual(["add 1", "stow"]);
    expect(row("a").known?.isStowed).toBe(true);
  });

  it("takes a settled piece out of stock before it is a skipped one again", async () => {
    server.put({ id: 12, qty: 1, binId: 3, isStowed: false });
    const { session, done } = begin();
    const draft = makeDraft({ settles: 12 });
    void session.add(makeAdded({ key: "a", draft, stow: true }), NOW);
    await done();

    session.undo(NOW);
    await done();

    expect(server.calls).toEqual(["bin", "stow", "remove", "bin"]);
  });

  it("leaves a refusal with its row and goes on with the others", async () => {
    const { add, row, done } = begin();
    server.refusal = full;
    void add("a", 6);
    await done();

    server.refusal = null;
    void add("b", 2);
    await done();

    expect(row("a").problem).toEqual({
      what: "add",
      code: "CAPACITY_EXCEEDED",
      text: "A-01 takes 5 more, not 6.",
      canOverride: true,
      fits: 5,
    });
    expect(held()).toEqual([2]);
  });

  it("withdraws what was to follow a refused add, and sends it with the next try", async () => {
    const { add, session, row, requests, done, waits } = begin();
    server.hold();
    server.refuses = () => true;
    void add("a", 6, true);
    await waits(2);
    server.release();
    await done();
    expect(requests()).toHaveLength(1);
    server.refuses = () => false;

    session.retry("a");
    await done();

    expect(row("a").known).toMatchObject({ quantity: 6, isStowed: true });
    expect(requests()).toEqual([]);
  });

  it("tries a refused row again when another bin is chosen", async () => {
    const { add, row, session, requests, done } = begin();
    server.refusal = full;
    void add("a", 6);
    await done();
    server.refusal = null;

    session.setBin("a", { id: 4, name: "A-02" });
    await done();

    expect(row("a").known?.binId).toBe(4);
    expect(held()).toEqual([6]);
    expect(requests()).toEqual([]);
  });

  it.each([
    [[{ can_override: false }]],
    [[{ failed: [{ id: 1, limits: [{ can_override: true }, { can_override: false }] }] }]],
  ])("does not offer to pass the limits of a bin that is marked full: %j", async (data) => {
    const { add, row, done } = begin();
    server.refusal = new ApiError("CAPACITY_EXCEEDED", "A-01 is marked full.", { data });

    void add("a");
    await done();

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
    const { add, row, done } = begin();
    server.refusal = new ApiError("CAPACITY_EXCEEDED", "too many", { data });

    void add("a", 6);
    await done();

    expect(row("a").problem?.fits).toBe(fits);
  });

  it("forgets a refusal of a quantity that is not wanted any more", async () => {
    const { add, set, row, requests, mark, done } = begin();
    void add("a", 5);
    await done();
    server.hold();
    server.refuses = (qty) => qty === 6;

    set("a", 6);
    await arrived(2);
    set("a", 5);
    server.release();
    await done();
    await settled(() => requests().length === 0);

    expect(row("a").problem).toBeNull();
    expect(mark("a")).toBe("saved");
  });

  it("counts on from what another tab made of the row, back and forth", async () => {
    const { add, set, session, mark, done } = begin();
    void add("a", 12);
    await done();
    server.put({ id: 1, qty: 15, binId: 3, isStowed: false });

    set("a", 14);
    await done();
    const both = held();
    session.undo(NOW);
    await done();

    expect(both).toEqual([17]);
    expect(held()).toEqual([15]);
    expect(mark("a")).toBe("saved");
  });

  it("keeps what another tab counted when only the bin is changed", async () => {
    const { add, row, session, done } = begin();
    void add("a", 12);
    await done();
    server.put({ id: 1, qty: 15, binId: 3, isStowed: false });

    session.setBin("a", { id: 4, name: "A-02" });
    await done();

    expect(held()).toEqual([15]);
    expect(row("a")).toMatchObject({ quantity: 15, known: { binId: 4 } });
  });

  it("takes back what another tab has deleted meanwhile", async () => {
    const { add, set, mark, done } = begin();
    void add("a", 2);
    await done();
    server.rows.delete(1);

    set("a", 0);
    await done();

    expect(mark("a")).toBe("gone");
  });

  it("tells what came of each call", async () => {
    const { add, session, done } = begin();
    const heard: string[] = [];
    session.onOutcome(({ row, did, problem }: Outcome) =>
      heard.push(`${row.key} ${did} ${problem?.code ?? "ok"}`),
    );

    void add("a");
    await done();
    server.refusal = full;
    void add("b");
    await done();

    expect(heard).toEqual(["a add ok", "b add CAPACITY_EXCEEDED"]);
  });

  it("lets go of what is discarded in the list of unsent things", async () => {
    const { add, set, tab, row, requests, waits, isAway } = begin();
    server.refusal = away;
    void add("a", 2);
    await isAway();
    set("a", 5);
    await waits(2);

    await tab.discard(requests().slice(1));
    expect(row("a").quantity).toBe(2);
    await tab.discard(requests());

    expect(row("a").quantity).toBe(0);
  });

  it("refuses what the browser has no room for, and does it at the next try", async () => {
    const { add, session, row, done } = begin();
    browser.isFull = true;
    await add("a", 3);
    expect(row("a").problem?.text).toMatch("no room");
    browser.isFull = false;

    session.retry("a");
    await done();

    expect(held()).toEqual([3]);
  });
});

describe("a stow session without a connection", () => {
  it.each([
    ["the line is down", away],
    ["the session has ended", new ApiError("NOT_AUTHENTICATED", "No.", { status: 401 })],
  ])("keeps rows as unsent as %s and sends them later", async (_, trouble) => {
    const { add, tab, mark, isAway, done } = begin();
    server.refusal = trouble;
    void add("a", 2);
    await isAway();
    expect(mark("a")).toBe("unsent");
    server.refusal = null;

    tab.tryNow();
    await done();

    expect(held()).toEqual([2]);
  });

  it.each([
    ["adds once", () => undefined, [3]],
    ["changes it after that", ({ set }: ReturnType<typeof begin>) => set("a", 4), [4]],
    ["takes it back after that", ({ session }: ReturnType<typeof begin>) => session.undo(NOW), []],
  ])("%s, although the answer to the first try was lost", async (_, act, stored) => {
    const station = begin();
    server.lost = 1;
    void station.add("a", 3);
    await station.isAway();

    act(station);
    station.tab.tryNow();
    await station.done();

    expect(held()).toEqual(stored);
  });

  it.each([
    ["counts once", () => undefined, [15]],
    ["takes that back", ({ session }: ReturnType<typeof begin>) => session.undo(NOW), [12]],
  ])("%s, although the answer to a change was lost", async (_, act, stored) => {
    const station = begin();
    void station.add("a", 12);
    await station.done();
    server.lost = 1;
    station.set("a", 15);
    await station.isAway();

    act(station);
    station.tab.tryNow();
    await station.done();

    expect(held()).toEqual(stored);
  });
});

describe("what a closed station had not sent", () => {
  it("is sent by any page, with no need of the station", async () => {
    const before = begin();
    server.refusal = away;
    void before.add("a", 3, true);
    await before.waits(2);
    before.set("a", 5);
    await before.isAway();
    before.close();
    server.refusal = null;

    const home = browser.open(PERSON);
    await settled(() => home.store.getState().isRead);
    await settled(async () => (await new KeptRequests().of(PERSON)).length === 0);

    expect([...server.rows.values()]).toEqual([{ id: 1, qty: 5, binId: 3, isStowed: true }]);
  });

  it("is shown by the next station, and can be undone there", async () => {
    const before = begin();
    server.refusal = away;
    await before.add("a", 3);
    await before.isAway();
    before.close();

    const next = begin();
    await next.session.resume();
    expect(next.rows()).toMatchObject([{ key: "a", quantity: 3, known: null }]);
    server.refusal = null;
    next.session.undo(NOW);
    next.tab.tryNow();
    await next.done();

    expect(held()).toEqual([]);
  });

  it("has its refusal at its row", async () => {
    const before = begin();
    server.refusal = full;
    await before.add("a", 6);
    await before.done();
    before.close();

    const next = begin();
    await next.session.resume();

    expect(next.row("a").problem).toMatchObject({ code: "CAPACITY_EXCEEDED", fits: 5 });
    server.refusal = null;
    next.session.setBin("a", { id: 4, name: "A-02" });
    await next.done();
    expect(held()).toEqual([6]);
  });

  it("is changed once by two stations", async () => {
    const [one, two] = [begin(), begin()];
    server.refusal = away;
    await one.add("a", 3);
    await one.isAway();
    await two.waits(1);
    await two.session.resume();
    two.set("a", 5);
    await two.waits(2);
    server.refusal = null;

    one.tab.tryNow();
    await one.done();
    await two.done();

    expect(held()).toEqual([5]);
    expect([one.row("a").quantity, two.row("a").quantity]).toEqual([5, 5]);
  });
});

describe("the steps of a tab", () => {
  /** The station after a reload. */
  const reload = async (before: ReturnType<typeof begin>) => {
    before.close();
    const next = begin();
    await next.session.resume();
    return next;
  };

  it("are undone and redone by the page after a reload", async () => {
    const before = begin();
    void before.add("a", 2);
    before.set("a", 5);
    void before.add("b", 1);
    await before.done();

    const next = await reload(before);
    next.session.undo(NOW);
    next.session.undo(NOW);
    await settled(() => held().toString() === "2");
    await next.done();
    next.session.redo(NOW);
    await settled(() => held().toString() === "5");
    await next.done();

    expect(counters(next.session.store.getState()).pieces).toBe(0);
  });

  it("leave what another page changed since", async () => {
    const before = begin();
    void before.add("a", 2);
    await before.done();
    before.set("a", 5);
    await before.done();
    server.put({ id: 1, qty: 9, binId: 4, isStowed: false });

    const next = await reload(before);
    next.session.undo(NOW);
    await settled(() => held().toString() === "6");
    await next.done();

    expect(next.row("a")).toMatchObject({ quantity: 6, bin: { id: 4, name: "bin 4" } });
  });

  it.each([
    ["an add", (station: ReturnType<typeof begin>) => void station.add("c", 4), 47],
    ["the removal of the oldest row", ({ set }: ReturnType<typeof begin>) => set("a", 0), 41],
  ])("count once the pieces of %s that was on its way", async (_, act, pieces) => {
    const before = begin();
    void before.add("a", 2);
    void before.add("b", 1);
    await before.done();
    server.hold();
    act(before);
    await arrived(3);

    const next = await reload(before);

    expect(piecesNow(next.session.store.getState(), 7)).toBe(pieces);
  });
});

function never(): never {
  throw new Error("the row is missing");
}
