import { makeAdded, makeDraft, withAdded, withQuantity } from "../testing/builders";
import {
  changed,
  counters,
  difference,
  emptySession,
  inBatch,
  type Known,
  lastRow,
  type Session,
  shownRows,
  standing,
  withBin,
  withEarlier,
} from "./session";

const START = Date.UTC(2026, 0, 31, 19);
const MINUTE = 60_000;
const add = (session: Session, key: string, quantity = 1, now = START) =>
  withAdded(session, makeAdded({ key, quantity }), now);
const known = (given: Partial<Known> = {}): Known => ({
  id: 100,
  quantity: 1,
  binId: 3,
  isStowed: false,
  ...given,
});
const told = (session: Session, key: string, what: Partial<Known> = {}) =>
  changed(session, key, () => ({ known: known(what) }));
const quantities = (session: Session) => session.rows.map((row) => `${row.key}${row.quantity}`);

describe("a sitting", () => {
  it("has the newest row first", () => {
    const session = add(add(emptySession, "a", 2), "b", 3);

    expect(quantities(session)).toEqual(["b3", "a2"]);
    expect(lastRow(session)?.key).toBe("b");
  });

  it("shows what is wanted or refused, and not what was taken back", () => {
    const two = add(add(emptySession, "a"), "b");
    const gone = withQuantity(two, "b", 0, START);
    const problem = {
      what: "remove",
      code: "X",
      text: "no",
      canOverride: false,
      fits: null,
    } as const;

    expect(shownRows(gone, 8).map((row) => row.key)).toEqual(["a"]);
    expect(
      shownRows(
        changed(gone, "b", () => ({ problem })),
        8,
      ),
    ).toHaveLength(2);
  });

  it("puts rows from before under its own, each once", () => {
    const session = told(add(emptySession, "a"), "a");
    const old = (key: string, id: number) => ({
      ...(add(emptySession, key, 4).rows[0] ?? never()),
      known: known({ id, quantity: 4 }),
      startedWith: 4,
    });

    const joined = withEarlier(session, [old("same", 100), old("old", 99)]);

    expect(quantities(joined)).toEqual(["a1", "old4"]);
  });

  it("orders rows from before by the time of their add", () => {
    const session = told(add(emptySession, "a"), "a");
    const [phone = never()] = add(emptySession, "phone", 4, START + MINUTE).rows;

    const joined = withEarlier(session, [{ ...phone, known: known({ id: 101 }), startedWith: 4 }]);

    expect(quantities(joined)).toEqual(["phone4", "a1"]);
  });
});

describe("inBatch", () => {
  it("is the sitting with the rows of one batch alone", () => {
    const other = makeDraft({ batchId: 8 });
    const both = withAdded(
      add(emptySession, "a"),
      makeAdded({ key: "other", draft: other }),
      START,
    );

    expect(quantities(inBatch(both, 7))).toEqual(["a1"]);
    expect(inBatch(both, null)).toBe(both);
  });
});

describe("difference", () => {
  const row = (session: Session) => session.rows[0] ?? never();
  const added = add(emptySession, "a", 2);
  const saved = told(added, "a", { quantity: 2 });

  it("is the add, until the server has it", () => {
    expect(difference(row(added))).toBe("add");
    expect(difference(row(saved))).toBeNull();
  });

  it("is nothing for what was taken back before it was sent", () => {
    expect(difference(row(withQuantity(added, "a", 0, START)))).toBeNull();
  });

  it("is the removal of what was taken back", () => {
    expect(difference(row(withQuantity(saved, "a", 0, START)))).toBe("remove");
  });

  it("is another quantity, then another bin", () => {
    const both = withBin(withQuantity(saved, "a", 5, START), "a", { id: 4, name: "A-02" });

    expect(difference(row(both))).toBe("quantity");
    expect(difference(row(told(both, "a", { quantity: 5 })))).toBe("bin");
    expect(difference(row(told(both, "a", { quantity: 5, binId: 4 })))).toBeNull();
  });

  it("is the stowing of a direct row that has a bin", () => {
    const direct = told(withAdded(emptySession, makeAdded({ stow: true }), START), "a");

    expect(difference(row(direct))).toBe("stow");
    expect(difference(row(told(direct, "a", { isStowed: true })))).toBeNull();
    expect(difference(row(withBin(told(direct, "a", { binId: null }), "a", null)))).toBeNull();
  });

  it("leaves a stowed row where the server put it", () => {
    expect(difference(row(told(added, "a", { quantity: 2, binId: 8, isStowed: true })))).toBeNull();
  });
});

describe("standing", () => {
  it.each([
    [{}, false, "sending"],
    [{}, true, "unsent"],
    [{ known: known() }, true, "saved"],
    [{ quantity: 0 }, false, "gone"],
    [
      { problem: { what: "add", code: "", text: "no", canOverride: false, fits: null } as const },
      true,
      "failed",
    ],
  ])("of %j, away: %s, is %s", (changes, isAway, expected) => {
    const [row] = changed(add(emptySession, "a"), "a", () => changes).rows;

    expect(standing(row ?? never(), isAway)).toBe(expected);
  });
});

describe("counters", () => {
  it("count pieces, lots and value, without what failed or was there before", () => {
    let session = add(add(add(emptySession, "a", 3), "b", 2), "c", 9);
    session = changed(session, "c", () => ({
      problem: { what: "add", code: "", text: "no", canOverride: false, fits: null },
    }));
    session = withEarlier(session, [
      { ...(add(emptySession, "old", 4).rows[0] ?? never()), known: known(), startedWith: 4 },
    ]);

    expect(counters(session)).toEqual({
      pieces: 5,
      lots: 2,
      bulk: 0,
      perMinute: null,
      worth: { value: 0.6, lots_without_price: 0 },
    });
  });

  it("measure the pace from the first act to the last", () => {
    const session = add(add(emptySession, "a", 20), "b", 10, START + 2 * MINUTE);

    expect(counters(session).perMinute).toBe(15);
  });
});

describe("a draft", () => {
  it("without a price is left out of the value, which says so", () => {
    const session = withAdded(
      emptySession,
      makeAdded({ draft: makeDraft({ price: null }), quantity: 5 }),
      START,
    );

    expect(counters(session).worth).toEqual({ value: null, lots_without_price: 1 });
  });
});

function never(): never {
  throw new Error("the row is missing");
}
