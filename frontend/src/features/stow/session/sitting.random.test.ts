/** Many random sittings: at the end the station always shows what the server holds. */
import { connectionError } from "@/shared/api/errors";
import { holdFor } from "@/shared/lib/person";
import { diceOf, Line, reloaded } from "@/shared/outbox/testing/random";
import { makeAdded } from "../testing/builders";
import { ChangedElsewhere, type StowPort, StowSession } from "./sender";
import { difference, type Known, type Row } from "./session";

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const BINS = [3, 4].map((id) => ({ id, name: `A-0${id}` }));

class Server {
  readonly rows = new Map<number, Known>();
  refuses = (_quantity: number): boolean => false;
  private made = 0;
  private version = 0;

  constructor(private readonly line: Line) {}

  readonly port: StowPort = {
    add: (row, key) =>
      this.line.call(key, () => {
        const binId = row.bin?.id ?? null;
        const there = [...this.rows.values()].find((one) => !one.isStowed && one.binId === binId);
        if (row.join && there) {
          const quantity = there.quantity + row.quantity;
          return { ...this.put(there, { quantity }), joined: there.quantity };
        }
        this.made += 1;
        const known = { id: this.made, isStowed: false, binId: null, quantity: 0, updatedAt: "" };
        return this.put(known, { quantity: row.quantity, binId: row.bin?.id ?? null });
      }),
    change: (row, { quantity, binId }, key) =>
      this.line.call(key, () => {
        const now = this.found(row);
        if (quantity !== undefined && now.updatedAt !== row.known?.updatedAt) {
          throw new ChangedElsewhere(now, BINS.find(({ id }) => id === now.binId) ?? null);
        }
        return this.put(now, {
          ...(quantity !== undefined && { quantity }),
          ...(binId !== undefined && { binId }),
        });
      }),
    stow: (row, key) => this.line.call(key, () => this.put(this.found(row), { isStowed: true })),
    remove: (row) =>
      this.line.call(`remove ${row.known?.id}`, () => void this.rows.delete(row.known?.id ?? 0)),
  };

  private found(row: Row): Known {
    const known = this.rows.get(row.known?.id ?? 0);
    if (!known) throw new Error("Not found.");
    return known;
  }

  put(known: Known, changes: Partial<Known>): Known {
    if (this.refuses(changes.quantity ?? 0)) throw new Error("Refused.");
    this.version += 1;
    const next = { ...known, ...changes, updatedAt: `v${this.version}` };
    this.rows.set(known.id, next);
    return next;
  }
}

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
  sessionStorage.clear();
  holdFor(1);
});
afterEach(() => jest.useRealTimers());

it.each(seeds)("the station shows what the server holds (%i)", async (seed) => {
  const dice = diceOf(seed);
  const line = new Line(dice, () => connectionError(null));
  const server = new Server(line);
  let sitting = new StowSession(server.port);
  /** What pages before had stored. */
  const earlier = new Map<number, number>();
  const rows = () => sitting.store.getState().rows;
  let count = 0;
  const acts = {
    add: () => {
      count += 1;
      const added = { quantity: 1 + dice.below(9), bin: dice.one(BINS), stow: dice.next() < 0.3 };
      sitting.add(makeAdded({ key: `row ${count}`, ...added }), count);
    },
    change: () => {
      const row = dice.one(rows());
      if (row) sitting.setQuantity(row.key, dice.below(9), count);
    },
    bin: () => {
      const row = dice.one(rows());
      if (row) sitting.setBin(row.key, dice.one(BINS));
    },
    undo: () => sitting.undo(count),
    redo: () => sitting.redo(count),
    retry: () => {
      for (const { key, problem } of rows()) if (problem) sitting.retry(key);
    },
    elsewhere: () => {
      const known = dice.one([...server.rows.values()]);
      if (known && !server.refuses(8)) server.put(known, { quantity: known.quantity + 1 });
    },
    refuse: () => {
      server.refuses = (quantity) => quantity === 8;
    },
    accept: () => {
      server.refuses = () => false;
    },
    lose: () => void line.lost.push(dice.one(["request", "answer"])),
    online: () => sitting.sendNow(),
    reload: () => {
      const before = rows();
      reloaded(() => sitting.forget(), sitting);
      sitting = new StowSession(server.port);
      void sitting.resume();
      for (const { known } of before) if (known) earlier.set(known.id, known.quantity);
    },
  };
  const often = ["add", "add", "change", "change", "undo", "undo", "redo", ...Object.keys(acts)];
  for (let act = 0; act < 40; act += 1) {
    acts[dice.one(often) as keyof typeof acts]();
    await pass(dice.below(400));
  }
  line.lost = [];
  server.refuses = () => false;
  await pass(120_000);
  acts.retry();
  await pass(120_000);

  expect(rows().filter((row) => row.problem || difference(row))).toEqual([]);
  // A change of another tab is seen with the next change of the row.
  const shown = rows().flatMap(({ known }) => known ?? []);
  for (const { id, quantity, updatedAt } of shown) {
    const stored = server.rows.get(id);
    if (stored?.updatedAt === updatedAt) expect(stored.quantity).toBe(quantity);
    else expect(stored?.quantity).toBeGreaterThan(quantity);
  }
  const ids = new Set([...shown.map(({ id }) => id), ...earlier.keys()]);
  expect([...server.rows.keys()].filter((id) => !ids.has(id))).toEqual([]);
});
