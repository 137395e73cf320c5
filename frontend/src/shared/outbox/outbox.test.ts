import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { connectionError } from "@/shared/api/errors";
import { KeptRequests } from "./keptRequests";
import type { Outbox } from "./outbox";
import { diceOf } from "./testing/random";
import { appending, Browser, pause, RowServer, settled } from "./testing/tabs";
import { type NewRequest, wireOf } from "./unsent";

const PERSON = 1;
const OTHER = 2;
let server: RowServer;
let browser: Browser;

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  server = new RowServer();
  browser = new Browser(server);
});
afterEach(() => {
  for (const tab of browser.tabs) browser.shut(tab);
});

const kept = () => new KeptRequests().of(PERSON);
const isAllSent = async () => (await kept()).every(({ refusal }) => refusal);
const shownIn = (tab: Outbox) => tab.store.getState().requests.map(({ words }) => words);
const sendAll = () =>
  settled(isAllSent, () => {
    for (const tab of browser.tabs) tab.tryNow();
  });

test("keeps an act without a server, and the next page sends it", async () => {
  server.isDown = true;
  const before = browser.open(PERSON);
  await before.post([appending("a", 1)]);
  await settled(() => before.store.getState().waitsFor === "line");
  browser.shut(before);
  server.isDown = false;

  browser.open(PERSON);

  await sendAll();
  expect(server.rows).toEqual(new Map([["a", [1]]]));
});

test("sends what another tab brings back that was withdrawn as it was about to go", async () => {
  server.isDown = true;
  const sender = browser.open(PERSON);
  const other = browser.open(PERSON);
  await sender.post([appending("a", 1)]);
  await settled(() => shownIn(other).length === 1 && sender.store.getState().waitsFor === "line");
  const undo = await other.discard(other.store.getState().requests);
  server.isDown = false;
  sender.tryNow();
  await settled(() => shownIn(sender).length === 0);

  await undo();

  await sendAll();
  expect(server.rows.get("a")).toEqual([1]);
});

test("sends the acts of a row in their order, also after one was lost", async () => {
  server.lost = 1;
  const tab = browser.open(PERSON);

  for (const value of [1, 2, 3]) await tab.post([appending("a", value)]);

  await sendAll();
  expect(server.rows.get("a")).toEqual([1, 2, 3]);
});

test("one of two tabs sends, and both show what waits", async () => {
  server.isDown = true;
  const [one, two] = [browser.open(PERSON), browser.open(PERSON)];
  await two.post([appending("a", 1)]);

  await settled(() => shownIn(one).length === 1);
  expect(shownIn(two)).toEqual(shownIn(one));
  server.isDown = false;

  await sendAll();
  await settled(() => shownIn(one).length + shownIn(two).length === 0);
  expect(server.rows.get("a")).toEqual([1]);
});

test("tells of an answer in the tab that did not send it", async () => {
  browser.open(PERSON);
  const two = browser.open(PERSON);

  expect(await two.send(appending("a", 1))).toEqual([{ row: "a" }]);
});

test("a refusal is the caller's who waits beside it, and stands nowhere else", async () => {
  server.refuses = () => true;
  const tab = browser.open(PERSON);

  await expect(tab.send(appending("a", 1))).rejects.toThrow("It is odd.");

  expect(shownIn(tab)).toEqual([]);
  expect(await kept()).toEqual([]);
});

test("who waits beside an act goes on where the server cannot be reached", async () => {
  server.isDown = true;
  const tab = browser.open(PERSON);

  expect(await tab.send(appending("a", 1))).toBeNull();

  expect(await tab.send(appending("a", 2))).toBeNull();
  server.isDown = false;
  await sendAll();
  expect(server.rows.get("a")).toEqual([1, 2]);
});

test("holds an act back while what it needs stands refused", async () => {
  server.refuses = (value) => value === 1;
  const tab = browser.open(PERSON);
  const [refused] = await tab.post([appending("a", 1)]);
  await tab.post([{ ...appending("a", 2), needsEarlier: true }]);
  await settled(() => tab.store.getState().requests.some(({ refusal }) => refusal));
  await tab.post([appending("b", 3)]);
  await settled(() => server.rows.has("b"));
  expect(server.rows.has("a")).toBe(false);

  if (refused) await tab.discard([refused]);

  await settled(() => server.rows.has("a"));
  expect(server.rows.get("a")).toEqual([2]);
});

test("keeps what an answer says of refused rows, unless a page has told it", async () => {
  const answer = [{ items: [1], failed: [{ id: 2, name: "Plate", reason: "It is full." }] }];
  server.carryOut = async () => answer;
  const tab = browser.open(PERSON);

  expect(await tab.send(appending("a", 1))).toEqual(answer);
  await tab.post([appending("a", 2)]);

  await settled(() => tab.store.getState().requests.some(({ refusal }) => refusal));
  expect(tab.store.getState().requests).toMatchObject([
    { words: "Append 2 to a", refusal: { message: "Plate: It is full." } },
  ]);
});

test("keeps a refusal with its reason until the person has decided", async () => {
  server.refuses = () => true;
  const tab = browser.open(PERSON);
  await tab.post([appending("a", 1)]);
  await settled(() => tab.store.getState().requests.some(({ refusal }) => refusal));
  browser.shut(tab);

  const next = browser.open(PERSON);

  await settled(() => shownIn(next).length === 1);
  const [refused] = next.store.getState().requests;
  expect(refused).toMatchObject({ words: "Append 1 to a", refusal: { message: "It is odd." } });
  server.refuses = () => false;
  if (refused) await next.tryAgain(refused);
  await sendAll();
  await settled(() => shownIn(next).length === 0);
  expect(server.rows.get("a")).toEqual([1]);
});

test("refuses at once what it has no room to keep, and keeps the others", async () => {
  server.isDown = true;
  const tab = browser.open(PERSON);
  await tab.post([appending("a", 1)]);
  browser.isFull = true;

  await expect(tab.post([appending("a", 2)])).rejects.toThrow("Append 2 to a: not done");

  expect(shownIn(tab)).toEqual(["Append 1 to a"]);
  expect((await kept()).map(({ words }) => words)).toEqual(["Append 1 to a"]);
});

test("keeps what a person did for him, and sends nothing of it for another one", async () => {
  server.isDown = true;
  const tab = browser.open(PERSON);
  await tab.post([appending("a", 1)]);
  tab.close();
  server.isDown = false;
  server.person = OTHER;

  await tab.open(OTHER);
  await pause(20);
  expect(shownIn(tab)).toEqual([]);
  expect(server.rows.size).toBe(0);
  server.person = PERSON;
  await tab.open(PERSON);

  await sendAll();
  expect(server.rows.get("a")).toEqual([1]);
});

test("discards a request, and takes that back", async () => {
  server.isDown = true;
  const tab = browser.open(PERSON);
  const made = await tab.post([appending("a", 1)]);

  const undo = await tab.discard(made);
  expect(await kept()).toEqual([]);
  await undo();

  expect(shownIn(tab)).toEqual(["Append 1 to a"]);
  server.isDown = false;
  await sendAll();
  expect(server.rows.get("a")).toEqual([1]);
});

test("a request that the server fails to answer does not hold up the others", async () => {
  const tab = browser.open(PERSON);
  const carryOut = server.carryOut.bind(server);
  server.carryOut = (request) =>
    request.rows[0] === "a"
      ? Promise.reject(Object.assign(new Error("Broken."), { failure: "server" }))
      : carryOut(request);

  await tab.post([appending("a", 1), appending("b", 2)]);

  await settled(() => server.rows.has("b") && shownIn(tab).length === 1);
  expect(tab.store.getState().requests).toMatchObject([{ words: "Append 1 to a", why: "Broken." }]);
});

/** An act on the row that another one makes. */
const following = (name: string, value: number): NewRequest => ({
  ...appending("a", value),
  ...wireOf("post", "batchItems/{id}/count", {
    path: { id: { idOf: name } },
    body: { change: value },
  }),
});

describe("an act on a row that an earlier one makes", () => {
  const made = () => ({ ...appending("a", 1), name: "first" });
  let paths: string[];
  beforeEach(() => {
    paths = [];
    const carryOut = server.carryOut.bind(server);
    server.carryOut = async (request) => {
      const rows = await carryOut({ ...request, body: { value: 0, ...request.body } });
      paths.push(request.path);
      return rows.map((row) => ({ ...(row as object), id: 7 }));
    };
  });
  const refused = (tab: Outbox) =>
    tab.store
      .getState()
      .requests.flatMap(({ words, refusal }) => (refusal ? [[words, refusal.message]] : []));

  test("takes its id from that answer, also in the tab after", async () => {
    server.isDown = true;
    const before = browser.open(PERSON);
    await before.post([made()]);
    await before.post([following("first", 2)]);
    await settled(() => before.store.getState().waitsFor === "line");
    browser.shut(before);
    server.isDown = false;

    browser.open(PERSON);

    await sendAll();
    expect(paths).toEqual(["rows/a", "batchItems/7/count"]);
  });

  test("takes an id that was answered before it was put in", async () => {
    const tab = browser.open(PERSON);
    await tab.post([made()]);
    await sendAll();

    await tab.post([following("first", 2)]);

    await sendAll();
    expect(paths).toEqual(["rows/a", "batchItems/7/count"]);
  });

  test("waits while that one stands refused, and goes after it when it is tried again", async () => {
    server.refuses = (value) => value === 1;
    const tab = browser.open(PERSON);
    await tab.post([made()]);
    await tab.post([following("first", 2)]);
    await settled(() => refused(tab).length === 1);
    await pause(10);
    expect(paths).toEqual([]);

    server.refuses = () => false;
    const [first] = tab.store.getState().requests;
    if (first) await tab.tryAgain(first);

    await sendAll();
    expect(paths).toEqual(["rows/a", "batchItems/7/count"]);
  });

  test("is told to the person when that one is discarded", async () => {
    server.refuses = (value) => value === 1;
    const tab = browser.open(PERSON);
    await tab.post([made()]);
    await tab.post([following("first", 2)]);
    await settled(() => refused(tab).length === 1);

    const [first] = tab.store.getState().requests;
    if (first) await tab.discard([first]);

    await settled(() => refused(tab).length === 1);
    expect(refused(tab)).toEqual([["Append 2 to a", "The row that this changes was not added."]]);
    expect(await kept()).toHaveLength(1);
  });
});

describe("an act that its client works out when its turn comes", () => {
  const planned = (value: number): NewRequest => ({
    ...appending("plans", value),
    method: null,
    kind: "plans",
    about: value,
  });
  const plan = (tab: Outbox) =>
    tab.planBy("plans", async ({ key }) => {
      await pause(2);
      if (server.isDown) throw connectionError(null);
      const value = Number(tab.store.getState().requests.find((one) => one.key === key)?.about);
      await tab.replace([key], [appending("a", value)]);
    });

  test("is sent as what took its place, also in the tab after", async () => {
    server.isDown = true;
    const before = browser.open(PERSON);
    plan(before);
    await before.post([planned(1), planned(2)]);
    await settled(() => before.store.getState().waitsFor === "line");
    browser.shut(before);
    server.isDown = false;

    plan(browser.open(PERSON));

    await sendAll();
    expect(server.rows.get("a")).toEqual([1, 2]);
  });

  test("can be changed and taken out while it is worked out", async () => {
    const tab = browser.open(PERSON);
    plan(tab);
    const [first, second] = await tab.post([planned(1), planned(2)]);

    await tab.amend(first?.key ?? "", { about: 5, words: "Five" });
    await tab.replace([second?.key ?? ""], []);

    await sendAll();
    expect(server.rows.get("a")).toEqual([5]);
  });

  test("is refused where its client says so", async () => {
    const tab = browser.open(PERSON);
    tab.planBy("plans", () => Promise.reject(new Error("Which colour?")));

    await tab.post([planned(1)]);

    await settled(() => tab.store.getState().requests.some(({ refusal }) => refusal));
    expect(await kept()).toMatchObject([{ refusal: { message: "Which colour?" } }]);
  });
});

/** Any order of acts and troubles: each act ends at the server once, or is named to the person. */
test.each(Array.from({ length: 40 }, (_, seed) => seed))(
  "any order of acts, seed %i",
  async (seed) => {
    const dice = diceOf(seed);
    server.refuses = (value) => value % 7 === 0;
    server.takes = () => dice.below(12);
    const done: { row: string; value: number; tab: Outbox }[] = [];
    const named = new Set<string>();
    const keeping: Promise<unknown>[] = [];
    const discarded = new Set<string>();
    const cameBack = new Set<string>();
    let value = 0;
    browser.open(PERSON);

    const act = (tab: Outbox, row = dice.one(["a", "b", "c"])) => {
      value += 1;
      const one = { row, value, tab };
      done.push(one);
      const posted = tab.post([appending(one.row, one.value)]);
      keeping.push(posted.catch((error: Error) => named.add(error.message)));
    };
    const burst = (tab: Outbox) => {
      const row = dice.one(["a", "b", "c"]);
      for (let count = 0; count < 4; count += 1) act(tab, row);
    };
    const steps: (() => unknown)[] = [
      () => act(browser.one(dice)),
      () => act(browser.one(dice)),
      () => burst(browser.one(dice)),
      () => pause(dice.below(5)),
      () => {
        server.isDown = !server.isDown;
      },
      () => {
        server.lost = dice.below(3);
      },
      () => browser.one(dice).tryNow(),
      () => {
        browser.isFull = !browser.isFull;
      },
      () => browser.tabs.size < 3 && browser.open(PERSON),
      async () => {
        // What a tab did is kept a moment later; a reload within it is not what is tested.
        await Promise.all(keeping);
        browser.shut(browser.one(dice));
        if (browser.tabs.size === 0) browser.open(PERSON);
      },
      async () => {
        await Promise.all(keeping);
        server.person = OTHER;
        await browser.signIn(OTHER);
        await pause(dice.below(5));
        expect([...browser.tabs].flatMap(shownIn)).toEqual([]);
        server.person = PERSON;
        await browser.signIn(PERSON);
      },
      async () => {
        const tab = browser.one(dice);
        const waiting = tab.store.getState().requests.filter((each) => !each.isStarted);
        if (waiting.length === 0) return;
        const one = dice.one(waiting);
        const undo = await tab.discard([one]);
        discarded.add(one.words);
        if (dice.next() < 0.5) return;
        cameBack.add(one.words);
        discarded.delete(one.words);
        await undo().catch((error: Error) => named.add(error.message));
      },
    ];
    for (let count = 0; count < 60; count += 1) await dice.one(steps)();

    Object.assign(server, { isDown: false, lost: 0 });
    browser.isFull = false;
    await Promise.all(keeping);
    await sendAll();
    // With the line up, and nothing before them, many of a row may go at once.
    burst(browser.one(dice));
    await Promise.all(keeping);
    await sendAll();
    expect(browser.ofOthers).toEqual([]);
    const last = browser.open(PERSON);
    await settled(async () => shownIn(last).length === (await kept()).length);

    const refused = new Set(shownIn(last));
    for (const row of ["a", "b", "c"]) {
      const stored = server.rows.get(row) ?? [];
      expect(stored).toHaveLength(new Set(stored).size);
      // Two tabs hear of each other a moment later.
      for (const from of new Set(done.map((one) => one.tab))) {
        // What was discarded as it was under way, or came back, may be done after others.
        const isFrom = (one: (typeof done)[number]) => {
          const { words } = appending(one.row, one.value);
          return one.tab === from && !cameBack.has(words) && !discarded.has(words);
        };
        const own = done.flatMap((one) => (isFrom(one) ? one.value : []));
        const storedOwn = stored.filter((one) => own.includes(one));
        expect(storedOwn).toEqual(storedOwn.toSorted((a, b) => a - b));
      }
      for (const one of done.filter((each) => each.row === row)) {
        const { words } = appending(one.row, one.value);
        const isNamed =
          refused.has(words) ||
          discarded.has(words) ||
          [...named].some((message) => message.startsWith(`${words}:`));
        expect([words, stored.includes(one.value) || isNamed]).toEqual([words, true]);
        if (one.value % 7 === 0) expect(stored).not.toContain(one.value);
      }
    }
  },
);
