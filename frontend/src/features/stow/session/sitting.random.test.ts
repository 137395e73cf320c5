/** Many random sittings: at the end the station always shows what the server holds. */
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { connectionError } from "@/shared/api/errors";
import { holdFor } from "@/shared/lib/person";
import type { Outbox } from "@/shared/outbox/outbox";
import { diceOf } from "@/shared/outbox/testing/random";
import { Browser, pause, settled } from "@/shared/outbox/testing/tabs";
import { BatchServer } from "../testing/batchServer";
import { makeAdded } from "../testing/builders";
import { StowSession } from "./sender";
import { difference } from "./session";

const PERSON = 1;
const BINS = [3, 4].map((id) => ({ id, name: `bin ${id}` }));
const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

it.each(seeds)("the station shows what the server holds (%i)", async (seed) => {
  globalThis.indexedDB = new IDBFactory();
  sessionStorage.clear();
  holdFor(PERSON);
  const dice = diceOf(seed);
  const server = new BatchServer();
  server.takes = () => dice.below(6);
  const browser = new Browser(server);
  let tab!: Outbox;
  let sitting!: StowSession;
  const open = async () => {
    tab = browser.open(PERSON);
    sitting = new StowSession(tab);
    await sitting.resume();
  };
  await open();
  const rows = () => sitting.store.getState().rows;
  const waiting = () => tab.store.getState().requests.filter(({ refusal }) => !refusal);
  /** The rows that pages before have shown, and those with pieces of others. */
  const earlier = new Set<number>();
  let count = 0;
  const acts: Record<string, () => unknown> = {
    add: () => {
      count += 1;
      const added = { quantity: 1 + dice.below(9), bin: dice.one(BINS), stow: dice.next() < 0.3 };
      void sitting.add(makeAdded({ key: `row ${count}`, ...added }), count);
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
      const stored = dice.one([...server.rows.values()]);
      if (!stored || server.refuses(stored.qty + 1)) return;
      server.put({ ...stored, qty: stored.qty + 1 });
      // Their pieces stay where ours are taken out and added again as a new row.
      earlier.add(stored.id);
    },
    refuse: () => {
      server.refuses = (qty) => qty === 8;
    },
    accept: () => {
      server.refuses = () => false;
    },
    lose: () => {
      server.lost = dice.below(3);
    },
    line: () => {
      server.refusal = server.refusal ? null : connectionError(null);
    },
    online: () => tab.tryNow(),
    reload: async () => {
      // What was done a moment before is kept by then.
      await settled(() =>
        rows().every((row) => row.problem || !difference(row) || posted(row.key)),
      );
      sitting.keepSteps();
      sitting.end();
      browser.shut(tab);
      await open();
      // The page before was told of some a moment before its end.
      for (const id of server.rows.keys()) earlier.add(id);
    },
  };
  const posted = (key: string) =>
    waiting().some(({ about }) => (about as { row: { key: string } }).row.key === key);
  const often = ["add", "add", "change", "change", "undo", "undo", "redo", ...Object.keys(acts)];
  for (let act = 0; act < 40; act += 1) {
    await acts[dice.one(often)]?.();
    await pause(dice.below(5));
  }
  Object.assign(server, { lost: 0, refusal: null, refuses: () => false });
  await settled(
    () => waiting().length === 0 && rows().every((row) => difference(row) === null),
    () => {
      tab.tryNow();
      acts.retry?.();
    },
  );

  expect(tab.store.getState().requests).toEqual([]);
  // A change of another tab is seen with the next change of the row.
  const shown = rows().flatMap(({ known }) => known ?? []);
  for (const { id, quantity } of shown) {
    expect(server.rows.get(id)?.qty).toBeGreaterThanOrEqual(quantity);
  }
  const ids = new Set([...shown.map(({ id }) => id), ...earlier]);
  expect([...server.rows.keys()].filter((id) => !ids.has(id))).toEqual([]);
  sitting.end();
  browser.shut(tab);
});
