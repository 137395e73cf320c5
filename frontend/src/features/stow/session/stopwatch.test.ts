import { aisleOf, trayOf } from "../bin/trays";
import { countOf } from "../part/weigh";
import { makeAdded, withAdded } from "../testing/builders";
import { counters, emptySession, type Session } from "./session";
import { figuresOf, quantile, stopwatch } from "./stopwatch";

beforeEach(() => stopwatch.forget());

describe("the stopwatch", () => {
  it("has nothing to keep before the first add", () => {
    stopwatch.pressed();

    expect(figuresOf(stopwatch.store.getState(), emptySession)).toBeNull();
  });

  it("runs from the picture to the add, and not for what was typed", () => {
    stopwatch.added(1000, 2200);
    stopwatch.added(null, 9999);
    stopwatch.added(3000, 3400);

    const session = withAdded(emptySession, makeAdded({ quantity: 5 }), 1);

    const figures = figuresOf(stopwatch.store.getState(), session);

    expect(figures).toMatchObject({ adds: 3, pieces: 5, accept_p50_ms: 1200, accept_p90_ms: 1200 });
  });

  it("tells the time from which the page makes its pace", () => {
    stopwatch.added(null, 1);
    const first = withAdded(emptySession, makeAdded({ key: "a", quantity: 5 }), 0);
    const session = withAdded(first, makeAdded({ key: "b", quantity: 5 }), 60_000);

    const figures = figuresOf(stopwatch.store.getState(), session);

    expect([figures?.started_at, figures?.acted_at].map((at) => Date.parse(at ?? ""))).toEqual([
      0, 60_000,
    ]);
    expect(counters(session).perMinute).toBe(10);
  });

  it.each([
    [[], 0.5, null],
    [[5], 0.9, 5],
    [[4, 1, 3, 2], 0.5, 3],
  ])("says of %j that %d of them lie below %j", (values, share, expected) => {
    expect(quantile(values, share)).toBe(expected);
  });
});

describe("grams to count", () => {
  it.each([
    ["46.4", "2.320", 20],
    ["46,4", "2.320", 20],
    ["2.5", "2.320", 1],
  ])("%s g of %s g each are %d", (grams, weight, count) => {
    expect(countOf(grams, weight)).toMatchObject({ count });
  });

  it.each([
    ["46.4", null, /no weight/],
    ["46.4", "0.000", /no weight/],
    ["", "2.32", /Type the grams/],
    ["abc", "2.32", /Type the grams/],
    ["-4", "2.32", /Type the grams/],
    ["0.5", "2.32", /less than one/],
    ["9999999", "0.01", /more than/],
  ])("%j g of %j g each is refused", (grams, weight, problem) => {
    expect(countOf(grams, weight)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it("tells when the scale lies between two counts", () => {
    expect(countOf("3.48", "2.320")).toMatchObject({ rest: 0.5 });
  });
});

describe("trays", () => {
  const plan = (session: Session, key: string, bin: string, stow = false) =>
    withAdded(session, makeAdded({ key, stow, bin: { id: Number(key), name: bin } }), Number(key));

  it.each([
    ["B-07", "B"],
    ["A-1-03", "A-1"],
    ["Shelf 4", "Shelf"],
    ["Box", "Box"],
  ])("%s lies in aisle %s", (bin, aisle) => {
    expect(aisleOf(bin)).toBe(aisle);
  });

  it("are one for each aisle, in the order in which they were first needed", () => {
    let session = plan(emptySession, "1", "B-07");
    session = plan(session, "2", "A-01");
    session = plan(session, "3", "C-01", true);

    expect(trayOf(session, { id: 9, name: "A-44" })).toBe(2);
    expect(trayOf(session, { id: 9, name: "B-01" })).toBe(1);
    expect(trayOf(session, { id: 9, name: "C-01" })).toBe(3);
    expect(trayOf(session, null)).toBeNull();
  });
});
