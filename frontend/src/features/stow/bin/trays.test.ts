import { emptySession } from "../session/session";
import { makeAdded, withAdded } from "../testing/builders";
import { trayOf } from "./trays";

const planned = (...bins: string[]) =>
  bins.reduce(
    (session, name, at) =>
      withAdded(session, makeAdded({ key: `${at}`, bin: { id: at, name } }), 1000 + at),
    emptySession,
  );

describe("trayOf", () => {
  it("is one for each aisle, in the order in which they came", () => {
    const session = planned("A-01", "B-07", "A-02");

    expect(trayOf(session, { id: 9, name: "B-01" })).toBe(2);
    expect(trayOf(session, { id: 9, name: "A-09" })).toBe(1);
    expect(trayOf(session, { id: 9, name: "C-01" })).toBe(3);
  });

  it("is the one that the aisle was given, which no other aisle gets", () => {
    const session = planned("A-01", "B-07");
    const trays = { B: 1 };

    expect(trayOf(session, { id: 9, name: "B-01" }, trays)).toBe(1);
    expect(trayOf(session, { id: 9, name: "A-01" }, trays)).toBe(2);
    expect(trayOf(session, { id: 9, name: "C-01" }, trays)).toBe(3);
  });

  it("is none without a bin", () => {
    expect(trayOf(emptySession, null)).toBeNull();
  });
});
