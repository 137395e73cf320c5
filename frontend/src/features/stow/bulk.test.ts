import { bulkDraft, withBulk } from "./bulk";
import type { BatchHead } from "./model";
import { changed, counters, emptySession, type Session, undone, withAdded } from "./session";
import { makeAdded } from "./testing/builders";

const NOW = Date.UTC(2026, 0, 31, 19);
const batch: BatchHead = {
  id: 7,
  name: "Attic finds",
  is_archived: false,
  batch_item_item_count: 40,
  batch_item_lot_count: 9,
  createdAt: "2026-01-30T10:00:00Z",
};
const bulk = (session: Session, key: string, pieces: number, now = NOW) =>
  withBulk(session, { key, draft: bulkDraft(batch, "U"), pieces }, now);
const rows = (session: Session) => session.rows.map(({ key, quantity }) => [key, quantity]);

describe("pieces of the bulk", () => {
  it("go into one row of the batch, which becomes the newest", () => {
    const begun = bulk(emptySession, "b", 3);
    const later = withAdded(begun, makeAdded({ key: "a" }), NOW + 1);

    expect(rows(bulk(later, "c", 2, NOW + 2))).toEqual([
      ["b", 5],
      ["a", 1],
    ]);
  });

  it("are taken back as many as were counted last", () => {
    const session = undone(bulk(bulk(emptySession, "b", 3), "c", 2));

    expect(rows(session)).toEqual([["b", 3]]);
  });

  it("begin another row once theirs is stowed", () => {
    const updatedAt = "2026-01-31T19:00:00Z";
    const known = { id: 1, quantity: 3, binId: 2, isStowed: true, updatedAt };
    const stowed = changed(bulk(emptySession, "b", 3), "b", () => ({ known }));

    expect(rows(bulk(stowed, "c", 2, NOW + 1))).toEqual([
      ["c", 2],
      ["b", 3],
    ]);
  });

  it("are pieces of the sitting, and no lot", () => {
    const session = withAdded(bulk(emptySession, "b", 3), makeAdded({ key: "a" }), NOW);

    expect(counters(session)).toMatchObject({ pieces: 4, lots: 1, bulk: 3 });
  });

  it("count from what was there before the sitting", () => {
    const before = bulk(emptySession, "b", 3);
    const earlier = { ...before, rows: before.rows.map((row) => ({ ...row, startedWith: 3 })) };

    expect(counters(bulk(earlier, "c", 2))).toMatchObject({ pieces: 2, bulk: 2 });
  });
});
