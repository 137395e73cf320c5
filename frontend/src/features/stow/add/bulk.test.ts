import "fake-indexeddb/auto";
import type { BatchHead } from "@/features/catalog/public";
import { Browser } from "@/shared/outbox/testing/tabs";
import { StowSession } from "../session/sender";
import { changed, counters } from "../session/session";
import { makeAdded } from "../testing/builders";
import { bulkDraft } from "./bulk";

const NOW = Date.UTC(2026, 0, 31, 19);
const batch: BatchHead = {
  id: 7,
  name: "Attic finds",
  is_archived: false,
  batch_item_item_count: 40,
  batch_item_lot_count: 9,
  createdAt: "2026-01-30T10:00:00Z",
};
/** A sitting whose server does not answer. */
function begin() {
  const browser = new Browser({ carryOut: () => new Promise(() => undefined) });
  const sitting = new StowSession(browser.open(1));
  const bulk = (key: string, quantity: number, now = NOW) =>
    void sitting.add({ key, draft: bulkDraft(batch, "U"), quantity, bin: null, stow: false }, now);
  const rows = () => sitting.store.getState().rows.map(({ key, quantity }) => [key, quantity]);
  return { sitting, bulk, rows };
}

describe("pieces of the bulk", () => {
  it("go into one row of the batch, which becomes the newest", () => {
    const { sitting, bulk, rows } = begin();
    bulk("b", 3);
    sitting.add(makeAdded({ key: "a" }), NOW + 1);

    bulk("c", 2, NOW + 2);

    expect(rows()).toEqual([
      ["b", 5],
      ["a", 1],
    ]);
  });

  it("are taken back as many as were counted last", () => {
    const { sitting, bulk, rows } = begin();
    bulk("b", 3);
    bulk("c", 2);

    sitting.undo(NOW);

    expect(rows()).toEqual([["b", 3]]);
  });

  it("begin another row once theirs is stowed", () => {
    const { sitting, bulk, rows } = begin();
    bulk("b", 3);
    const updatedAt = "2026-01-31T19:00:00Z";
    const known = { id: 1, quantity: 3, binId: 2, isStowed: true, updatedAt };
    sitting.store.setState((now) => changed(now, "b", () => ({ known })));

    bulk("c", 2, NOW + 1);

    expect(rows()).toEqual([
      ["c", 2],
      ["b", 3],
    ]);
  });

  it("are pieces of the sitting, and no lot", () => {
    const { sitting, bulk } = begin();
    bulk("b", 3);
    sitting.add(makeAdded({ key: "a" }), NOW);

    expect(counters(sitting.store.getState())).toMatchObject({ pieces: 4, lots: 2, bulk: 3 });
  });

  it("count from what was there before the sitting", () => {
    const { sitting, bulk } = begin();
    bulk("b", 3);
    sitting.store.setState((now) => changed(now, "b", () => ({ startedWith: 3 })));

    bulk("c", 2);

    expect(counters(sitting.store.getState())).toMatchObject({ pieces: 2, bulk: 2 });
  });
});
