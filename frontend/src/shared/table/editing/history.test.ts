import {
  differing,
  dropped,
  emptyHistory,
  HISTORY_LIMIT,
  type History,
  type HistoryEntry,
  putBack,
  recorded,
  redone,
  renamed,
  reversed,
  stepsTo,
  trimmed,
  undone,
} from "./history";

const entry = (id: number, changes: Partial<HistoryEntry> = {}): HistoryEntry => ({
  id,
  type: "cell-edit",
  at: 0,
  label: `Entry ${id}`,
  cells: [{ row: "1", column: "qty", before: String(id - 1), after: String(id) }],
  rows: [],
  ...changes,
});
const history = (count: number): History =>
  Array.from({ length: count }, (_, index) => entry(index + 1)).reduce(recorded, emptyHistory);
const ids = (entries: readonly HistoryEntry[]) => entries.map(({ id }) => id);

describe("a history", () => {
  it("keeps the last 50 steps", () => {
    const { done } = history(51);

    expect(done).toHaveLength(HISTORY_LIMIT);
    expect(done[0]?.id).toBe(2);
  });

  it("undoes the last first and redoes in the same order", () => {
    const once = undone(history(3));
    const twice = undone(once?.history ?? emptyHistory);
    expect([once?.entry.id, twice?.entry.id]).toEqual([3, 2]);

    const again = redone(twice?.history ?? emptyHistory);
    expect(again?.entry.id).toBe(2);
    expect(ids(again?.history.done ?? [])).toEqual([1, 2]);
  });

  it("has nothing to undo or redo at its ends", () => {
    expect(undone(emptyHistory)).toBeNull();
    expect(redone(history(2))).toBeNull();
  });

  it("forgets what could be redone after a new act", () => {
    const back = undone(history(2))?.history ?? emptyHistory;

    expect(recorded(back, entry(9)).undone).toEqual([]);
  });

  it("takes an entry back to its place when it could not be undone", () => {
    const taken = undone(undone(history(3))?.history ?? emptyHistory);
    const back = putBack(taken?.history ?? emptyHistory, entry(2), "done");

    expect(ids(back.done)).toEqual([1, 2]);
    expect(ids(back.undone)).toEqual([3]);
    expect(ids(putBack(back, entry(2), "undone").undone)).toEqual([3, 2]);
  });

  it("loses what did not come about, wherever the entry is by then", () => {
    const many = entry(1, {
      cells: [
        { row: "1", column: "qty", before: "1", after: "2" },
        { row: "2", column: "qty", before: "1", after: "2" },
      ],
    });
    const back = undone(recorded(emptyHistory, many))?.history ?? emptyHistory;

    const less = trimmed(back, 1, ({ row }) => row === "1");
    expect(less.undone[0]?.cells.map(({ row }) => row)).toEqual(["2"]);
    expect(trimmed(less, 1, () => true).undone).toEqual([]);
    expect(dropped(back, 1).undone).toEqual([]);
  });

  it("means a row that came back by its new id", () => {
    const next = renamed(history(1), new Map([["1", "77"]]));

    expect(next.done[0]?.cells[0]?.row).toBe("77");
  });

  it("knows how many steps lead to a point", () => {
    const back = undone(undone(history(4))?.history ?? emptyHistory)?.history ?? emptyHistory;

    expect([1, 2, 3, 4].map((id) => stepsTo(back, id))).toEqual([1, 0, -1, -2]);
    expect(stepsTo(back, 0)).toBe(2);
  });
});

describe("differing", () => {
  it("names the cells that are not as they were at first", () => {
    const back = recorded(
      history(1),
      entry(2, { cells: [{ row: "1", column: "qty", before: "1", after: "0" }] }),
    );

    expect(differing(history(2))).toEqual([{ row: "1", column: "qty" }]);
    expect(differing(back)).toEqual([]);
  });
});

describe("reversed", () => {
  it("goes from the last change to the first, after to before", () => {
    const cells = [
      { row: "1", column: "a", before: "1", after: "2" },
      { row: "1", column: "a", before: "2", after: "3" },
    ];

    expect(reversed(cells)).toEqual([
      { row: "1", column: "a", before: "3", after: "2" },
      { row: "1", column: "a", before: "2", after: "1" },
    ]);
  });
});
