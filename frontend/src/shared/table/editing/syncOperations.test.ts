import { isSyncKind, SYNC_KINDS } from "./model";
import { advanced, begun, changedOperation, checkedProgress, progressOf } from "./syncOperations";

const operation = (id: number, rows = 4) => ({
  id,
  kind: "bulk-update" as const,
  label: "Change 4 rows",
  at: 0,
  rows,
});

describe("a sync operation", () => {
  it("is one of the six kinds and no other", () => {
    expect(SYNC_KINDS).toEqual([
      "sync",
      "update",
      "delete",
      "create",
      "bulk-update",
      "bulk-delete",
    ]);
    expect(["sync", "bulk-delete", "patch", ""].map(isSyncKind)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("goes from 0 to 100 by row and in sum", () => {
    let log = begun([], operation(1));
    const seen: number[] = [];
    const advance = (rows: string[], to: number) => {
      log = changedOperation(log, 1, (one) => advanced(one, rows, to));
      seen.push(...log.map(progressOf));
    };
    advance([], 0);
    advance(["1", "2"], 50);
    advance(["1", "2"], 100);
    advance(["3", "4"], 100);

    expect(seen).toEqual([0, 25, 50, 100]);
    expect(log[0]?.progress.get("1")).toBe(100);
  });

  it("has no progress beyond 0 to 100", () => {
    expect([0, 100].map(checkedProgress)).toEqual([0, 100]);
    for (const bad of [-1, 101, Number.NaN]) expect(() => checkedProgress(bad)).toThrow(RangeError);
  });
});

describe("the sync log", () => {
  it("keeps a hundred, those with failed rows the longest", () => {
    const first = changedOperation(begun([], operation(1)), 1, () => ({ state: "failed" }));
    let log = first;
    for (let id = 2; id <= 103; id += 1) {
      log = begun(log, operation(id));
      log = changedOperation(log, id, () => ({ state: "done" }));
    }

    expect(log).toHaveLength(100);
    expect(log[0]?.id).toBe(1);
    expect(log.at(-1)?.id).toBe(103);
  });
});
