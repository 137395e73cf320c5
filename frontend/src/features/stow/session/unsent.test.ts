import { connectionError } from "@/shared/api/errors";
import { createKeeper } from "@/shared/lib/keeper";
import { listSettings } from "@/shared/lib/localSettings";
import { forgetPerson } from "@/shared/lib/person";
import { makeAdded } from "../testing/builders";
import { type StowPort, StowSession } from "./sender";
import type { Known } from "./session";

const settled = () => new Promise((resolve) => setTimeout(resolve));
const down = () => Promise.reject(connectionError(new TypeError("Failed to fetch")));

/** A server that stores the calls under their keys, like the real one. */
class Server {
  isDown = false;
  /** The next call takes effect, but its answer is lost. */
  losesAnswer = false;
  readonly made = new Map<string, Known>();
  readonly stowed = new Set<string>();

  readonly port: StowPort = {
    add: (row, key) =>
      this.answer(() => {
        const { quantity, bin } = row;
        const fresh = {
          id: this.made.size + 1,
          quantity,
          binId: bin?.id ?? null,
          isStowed: false,
          updatedAt: "2026-01-31T19:00:00Z",
        };
        const known = this.made.get(key) ?? fresh;
        this.made.set(key, known);
        return known;
      }),
    change: (row, { quantity }) =>
      this.answer(() => ({ ...(row.known as Known), quantity: quantity ?? row.quantity })),
    stow: (row, key) =>
      this.answer(() => {
        this.stowed.add(key);
        return { ...(row.known as Known), isStowed: true };
      }),
    remove: () => this.answer(() => undefined),
  };

  private answer<Result>(act: () => Result): Promise<Result> {
    if (this.isDown) return down();
    const result = act();
    if (!this.losesAnswer) return Promise.resolve(result);
    this.losesAnswer = false;
    this.isDown = true;
    return down();
  }
}

const keeper = () => createKeeper("station", undefined);
const unsent = () => listSettings().filter((name) => name.startsWith("person_unsent_"));
/** A tab of this browser; a later one finds the data of the tab before. */
const openTab = (server: Server) => new StowSession(server.port);

let server: Server;
beforeEach(() => {
  server = new Server();
});

it("keeps nothing once the server has everything", async () => {
  const tab = openTab(server);

  tab.add(makeAdded(), 1);
  const meanwhile = unsent().length;
  await settled();

  expect(meanwhile).toBe(1);
  expect(unsent()).toEqual([]);
});

it("sends after a reload what was added offline", async () => {
  server.isDown = true;
  const before = openTab(server);
  before.add(makeAdded({ quantity: 3 }), 1);
  await settled();
  server.isDown = false;

  const after = openTab(server);
  await after.resume();
  await settled();

  expect([...server.made.values()].map(({ quantity }) => quantity)).toEqual([3]);
  expect(after.store.getState()).toMatchObject({ isAway: false, rows: [{ quantity: 3 }] });
  expect(unsent()).toEqual([]);
});

it("never adds twice what the server made and could not say", async () => {
  server.losesAnswer = true;
  const before = openTab(server);
  before.add(makeAdded({ quantity: 3 }), 1);
  await settled();
  before.setQuantity("a", 5, 2);
  server.isDown = false;

  const after = openTab(server);
  await after.resume();
  await settled();

  expect(server.made.size).toBe(1);
  expect(after.store.getState().rows[0]?.known?.quantity).toBe(5);
});

it("takes back after a reload what was undone while its making was in doubt", async () => {
  server.losesAnswer = true;
  const before = openTab(server);
  before.add(makeAdded(), 1);
  await settled();
  before.setQuantity("a", 0, 2);
  server.isDown = false;

  const after = openTab(server);
  await after.resume();
  await settled();

  expect(after.store.getState().rows[0]?.known).toBeNull();
});

it("stows once what was stowed when the line broke", async () => {
  const before = openTab(server);
  before.add(makeAdded({ stow: true }), 1);
  server.losesAnswer = false;
  await Promise.resolve();
  server.losesAnswer = true;
  await settled();
  server.isDown = false;

  const after = openTab(server);
  await after.resume();
  await settled();

  expect(server.made.size).toBe(1);
  expect(server.stowed.size).toBe(1);
});

it("is taken over by one tab only", async () => {
  server.isDown = true;
  openTab(server).add(makeAdded(), 1);
  await settled();
  const [one, other] = [keeper(), keeper()];

  const taken = [await one.takeLeft(), await other.takeLeft()];

  expect(taken.map((left) => left.length)).toEqual([1, 0]);
});

it("leaves alone what belongs to a tab that is still there", async () => {
  const busy = {
    request: (async (_name: string, _options: unknown, act: (lock: null) => unknown) =>
      act?.(null)) as unknown as LockManager["request"],
  };
  server.isDown = true;
  openTab(server).add(makeAdded(), 1);
  await settled();

  expect(await createKeeper("station", busy).takeLeft()).toEqual([]);
  expect(unsent()).toHaveLength(1);
});

it("is forgotten with its person", async () => {
  server.isDown = true;
  const tab = openTab(server);
  tab.add(makeAdded(), 1);
  await settled();

  tab.forget();
  forgetPerson();

  expect(unsent()).toEqual([]);
});
