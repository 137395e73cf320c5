import { forgetPerson, holdFor } from "@/shared/lib/person";
import { answer, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { KEPT_MS } from "./history";
import { lostLine, NumberPage, NumberServer } from "./testing/page";
import { diceOf, Line, reloaded } from "./testing/random";

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const ROWS = ["a", "b", "c", "d"];

function open(options = {}, seed = 1) {
  const dice = diceOf(seed);
  const line = new Line(dice, lostLine);
  const server = new NumberServer(line);
  for (const row of ROWS) server.rows.set(row, 0);
  return { dice, line, server, page: new NumberPage(server, options) };
}

/** The page after a reload. */
function reload(
  page: NumberPage,
  server: NumberServer,
  meanwhile: () => void = () => undefined,
  options = {},
) {
  reloaded(() => page.operations.forget(), page.operations);
  meanwhile();
  const after = new NumberPage(server, options);
  void after.operations.resume();
  return after;
}

async function setSent(page: NumberPage, value: number): Promise<void> {
  void page.set(["a"], value);
  await pass(2_000);
}

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
  sessionStorage.clear();
  holdFor(1);
});
afterEach(() => jest.useRealTimers());

describe("an operation", () => {
  it("shows at once and is sent", async () => {
    const { page, server } = open();

    void page.set(["a"], 5);
    expect(page.shown("a")).toBe(5);
    await pass(1_000);

    expect(server.rows.get("a")).toBe(5);
    expect(page.operations.isBusy).toBe(false);
  });

  it("of one row waits for the one before, and several become one call", async () => {
    const { page, server } = open();

    void page.set(["a"], 1);
    await pass(0);
    void page.set(["a"], 2);
    void page.set(["a"], 3);
    await pass(2_000);

    expect(server.calls).toEqual([[["a", 1]], [["a", 3]]]);
  });

  it("of several rows is one call, and so is its undo", async () => {
    const { page, server } = open();
    void page.set(["a", "b"], 7);
    await pass(1_000);

    void page.operations.undo();
    await pass(1_000);

    expect(server.calls.map((values) => values.length)).toEqual([2, 2]);
    expect([server.rows.get("a"), server.rows.get("b")]).toEqual([0, 0]);
  });

  it("shows what is stored once it was refused", async () => {
    const { page, server } = open();
    server.refuses = (value) => value === 8;

    void page.set(["a"], 8);
    await pass(1_000);

    expect([page.shown("a"), server.rows.get("a")]).toEqual([0, 0]);
  });
});

describe("an undo", () => {
  it("shows at once and is sent after the answer to what it undoes", async () => {
    const { page, server } = open();
    void page.set(["a"], 5);
    await pass(0);

    const undone = page.operations.undo();
    expect(page.shown("a")).toBe(0);
    await pass(2_000);

    expect(await undone).toBe(true);
    expect(server.calls).toEqual([[["a", 5]], [["a", 0]]]);
  });

  it("waits for an act that is not recorded yet", async () => {
    const { page } = open();
    const undone: string[] = [];
    const takeBack = async () => void undone.push("act");
    void page.operations.inOrder(async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      page.operations.record({ label: "Act", changes: [], takeBack });
    });

    void page.operations.undo();
    await pass(1_000);

    expect(undone).toEqual(["act"]);
    expect(page.operations.history).toEqual({ done: [], undone: [] });
  });

  it("of an act waits for the answer to the undo before", async () => {
    const { page, server } = open();
    const found: unknown[] = [];
    const takeBack = async () => void found.push(server.rows.get("a"));
    page.operations.record({ label: "Act", changes: [], takeBack });
    await setSent(page, 5);

    void page.operations.undo();
    void page.operations.undo();
    await pass(2_000);

    expect(found).toEqual([0]);
    expect(page.operations.history.done).toEqual([]);
  });

  it("of an act that the server refuses can be tried again", async () => {
    const { page } = open();
    const takeBack = () => Promise.reject(new Error("No."));
    page.operations.record({ label: "Act", changes: [], takeBack });

    expect(await page.operations.undo()).toBe(false);

    expect(page.operations.history.done.map(({ label }) => label)).toEqual(["Act"]);
  });
});

describe("a redo", () => {
  it("does an undone act again, which can be undone again", async () => {
    const { page } = open();
    const { operations } = page;
    const did: string[] = [];
    const undoing = (id: number) => ({
      takeBack: async () => void did.push(`undo ${id}`),
      acts: [{ id }],
    });
    const again = async () => {
      did.push("again");
      return undoing(5);
    };
    operations.record({ label: "Act", changes: [], ...undoing(4), again });

    await operations.undo();
    expect(await operations.redo()).toBe(true);
    await operations.undo();

    expect(did).toEqual(["undo 4", "again", "undo 5"]);
    expect(operations.history.undone.map(({ label }) => label)).toEqual(["Act"]);
  });

  it("of an act that the server refuses can be tried again", async () => {
    const { page } = open();
    const again = () => Promise.reject(new Error("No."));
    page.operations.record({ label: "Act", changes: [], takeBack: async () => undefined, again });
    await page.operations.undo();

    expect(await page.operations.redo()).toBe(false);

    expect(page.operations.history.undone.map(({ label }) => label)).toEqual(["Act"]);
  });

  it("of an act is not kept over a reload, as its undo is", async () => {
    const { page, server } = open();
    const again = async () => null;
    const takeBack = async () => undefined;
    page.operations.record({ label: "Act", changes: [], takeBack, acts: [{ id: 4 }], again });
    await page.operations.undo();

    const after = reload(page, server);
    await pass(0);

    expect(after.operations.history).toEqual({ done: [], undone: [] });
  });
});

describe("a lost line and a reload", () => {
  it.each(["request", "answer"] as const)(
    "carry a call out once (the %s was lost)",
    async (what) => {
      const { page, server, line } = open();
      line.lost = [what];

      void page.set(["a"], 5);
      await pass(1_000);
      expect([page.shown("a"), page.operations.outbox.store.getState().isAway]).toEqual([5, true]);
      await pass(12_000);

      expect(server.calls).toEqual([[["a", 5]]]);
      expect(page.operations.outbox.store.getState()).toEqual({ waiting: [], isAway: false });
    },
  );

  it("send what a page had shown and not sent", async () => {
    const { page, server, line } = open();
    line.lost = ["answer"];
    void page.set(["a"], 5);
    await pass(1_000);
    void page.set(["b", "c"], 6);

    reloaded(() => page.operations.forget());
    const after = new NumberPage(server);
    void after.operations.resume();
    await pass(20_000);

    expect(ROWS.map((row) => server.rows.get(row))).toEqual([5, 6, 6, 0]);
    expect(ROWS.map((row) => after.shown(row))).toEqual([5, 6, 6, 0]);
    expect(server.calls.flat().filter(([row]) => row === "a")).toHaveLength(1);
  });

  it("keep the steps, which the next page can undo and redo", async () => {
    const { page, server } = open();
    for (const value of [1, 2, 3]) await setSent(page, value);
    void page.operations.undo();
    await pass(1_000);

    const after = reload(page, server);
    void after.operations.redo();
    await pass(1_000);
    expect(server.rows.get("a")).toBe(3);
    for (let step = 0; step < 4; step += 1) void after.operations.undo();
    await pass(5_000);

    expect([server.rows.get("a"), after.shown("a")]).toEqual([0, 0]);
    expect(after.operations.history.undone).toHaveLength(3);
  });

  it.each([
    ["another tab", () => sessionStorage.clear()],
    ["another person", () => holdFor(2)],
    ["a person who has left meanwhile", () => forgetPerson()],
    ["a later day", () => jest.setSystemTime(Date.now() + KEPT_MS)],
  ])("keep no step for %s", async (_whom, meanwhile) => {
    const { page, server } = open();
    await setSent(page, 1);

    const after = reload(page, server, meanwhile);

    expect(after.operations.history.done).toEqual([]);
  });

  it("take the steps up once, where the page was only hidden", async () => {
    const { page } = open();
    void page.operations.resume();
    await setSent(page, 1);

    page.operations.keepSteps();
    void page.operations.resume();

    expect(page.operations.history.done).toHaveLength(1);
  });

  it("keep the steps of a page whose table was not opened", async () => {
    const { page, server } = open();
    await setSent(page, 1);
    page.operations.keepSteps();
    const closed = new NumberPage(server);
    closed.operations.record({ label: "Act", changes: [], takeBack: jest.fn(), acts: [{ id: 4 }] });

    const after = reload(closed, server);

    expect(after.operations.history.done.map(({ label }) => label)).toEqual(["Set 1", "Act"]);
  });

  it("keep each step once, however often a page without its table is hidden", async () => {
    const { page, server } = open();
    await setSent(page, 1);
    page.operations.keepSteps();
    const closed = new NumberPage(server);
    const client = Object.assign(closed, {
      remember: () => Promise.reject(new Error("No table.")),
    });
    closed.operations.record({ label: "Act", changes: [], takeBack: jest.fn(), acts: [{ id: 4 }] });
    const remember = jest.spyOn(client, "remember");

    closed.operations.keepSteps();
    const after = reload(closed, server);

    expect(after.operations.history.done.map(({ label }) => label)).toEqual(["Set 1", "Act"]);
    expect(remember).not.toHaveBeenCalled();
  });

  it.each([
    ["is another version's", JSON.stringify({ person: 1, steps: [] })],
    ["is damaged", '{"person":1,"hist'],
  ])("take up no text that %s", async (_what, text) => {
    const { page } = open();
    sessionStorage.setItem("bb_steps_numbers", text);

    await page.operations.resume();

    expect(page.operations.history.done).toEqual([]);
  });

  it("keep nothing while the page is shown: it would be out of date", async () => {
    const { page } = open();
    void page.operations.resume();
    await setSent(page, 1);
    page.operations.keepSteps();

    page.operations.dropStepsOfPage();

    expect(sessionStorage).toHaveLength(0);
  });

  it("ask once more for the undo that the reload interrupted, and pass over it if it is done", async () => {
    const { page, server } = open();
    installServer();
    answer("POST /api/inventoryActs/4/undo", () => refusal(409, "ALREADY_UNDONE", "Undone."));
    await setSent(page, 1);
    const takeBack = () => new Promise(() => undefined);
    page.operations.record({ label: "Act", changes: [], takeBack, acts: [{ id: 4 }] });
    void page.operations.undo();
    await pass(1_000);

    const after = reload(page, server);
    expect(after.operations.history.done.map(({ label }) => label)).toEqual(["Set 1", "Act"]);
    void after.operations.undo();
    await pass(1_000);

    expect(after.operations.history.done.map(({ label }) => label)).toEqual(["Set 1"]);
    expect(after.operations.history.undone).toEqual([]);
  });

  it("keep no step from before an act that cannot be kept", async () => {
    const { page, server } = open();
    await setSent(page, 1);
    page.operations.record({ label: "Act", changes: [], takeBack: jest.fn() });
    await setSent(page, 2);

    const after = reload(page, server);

    expect(after.operations.history.done.map(({ label }) => label)).toEqual(["Set 2"]);
  });

  it("undo an act of the server", async () => {
    const { page, server } = open();
    installServer();
    answer("POST /api/inventoryActs/4/undo", () => ok([{}]));
    page.operations.record({ label: "Act", changes: [], takeBack: jest.fn(), acts: [{ id: 4 }] });

    const after = reload(page, server);
    void after.operations.undo();
    await pass(1_000);

    expect(sent("POST /api/inventoryActs/4/undo")).toHaveLength(1);
    expect(after.operations.history).toEqual({ done: [], undone: [] });
  });

  it("send nothing of a person who has left", async () => {
    const { page, server, line } = open();
    line.lost = ["request"];
    void page.set(["a"], 5);
    await pass(1_000);

    forgetPerson();
    await pass(20_000);

    expect([server.calls, page.shown("a")]).toEqual([[], 0]);
  });
});

describe("any order of operations, undos, failures and reloads", () => {
  const seeds = Array.from({ length: 30 }, (_, index) => index + 1);
  const all = seeds.flatMap((seed) => [
    { seed, options: {} },
    { seed, options: { inOneTurn: true } },
  ]);

  it.each(all)("ends with server and screen equal (%j)", async ({ seed, options }) => {
    const opened = open(options, seed);
    const { dice, server, line } = opened;
    let { page } = opened;
    const acts = {
      set: () => void page.set([dice.one(ROWS)], dice.below(10)),
      setMany: () =>
        void page.set(
          ROWS.filter(() => dice.next() < 0.5),
          dice.below(10),
        ),
      undo: () => void page.operations.undo(),
      redo: () => void page.operations.redo(),
      goTo: () => void page.operations.goTo(dice.below(20)),
      refuse: () => {
        server.refuses = (value) => value === 8;
      },
      accept: () => {
        server.refuses = () => false;
      },
      lose: () => void line.lost.push(dice.one(["request", "answer"])),
      online: () => void window.dispatchEvent(new Event("online")),
      reload: () => {
        page = reload(page, server, () => undefined, options);
      },
    };
    const often = ["set", "set", "set", "undo", "undo", "redo", ...Object.keys(acts)];
    for (let count = 0; count < 40; count += 1) {
      acts[dice.one(often) as keyof typeof acts]();
      await pass(dice.below(400));
    }
    line.lost = [];
    await pass(120_000);

    const shown = ROWS.map((row) => page.shown(row));
    expect(shown).toEqual(ROWS.map((row) => server.rows.get(row)));
    expect(page.operations.isBusy).toBe(false);
    expect(page.wanted()).toBeNull();
  });
});
