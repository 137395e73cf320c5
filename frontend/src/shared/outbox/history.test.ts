import {
  dropped,
  emptyHistory,
  HISTORY_LIMIT,
  type History,
  joined,
  keepable,
  lastChange,
  MOST_KEPT,
  moved,
  putBack,
  recorded,
  renamed,
  restated,
  reversed,
  type Step,
  stepsTo,
  trimmed,
} from "./history";

type Cell = { row: string; before: string; after: string };
const entry = (id: number, changes: Partial<Step<Cell>> = {}): Step<Cell> => ({
  id,
  at: 0,
  label: `Entry ${id}`,
  changes: [{ row: "1", before: String(id - 1), after: String(id) }],
  ...changes,
});
const history = (count: number): History<Step<Cell>> =>
  Array.from({ length: count }, (_, index) => entry(index + 1)).reduce<History<Step<Cell>>>(
    recorded,
    emptyHistory,
  );
const ids = (entries: readonly Step<Cell>[]) => entries.map(({ id }) => id);

/** The history after one undo. */
const back = (before: History<Step<Cell>>) => moved(before, "done")?.history ?? emptyHistory;

describe("a history", () => {
  it("keeps the last 50 steps", () => {
    const { done } = history(51);

    expect(done).toHaveLength(HISTORY_LIMIT);
    expect(done[0]?.id).toBe(2);
  });

  it("undoes the last first and redoes in the same order", () => {
    const once = moved(history(3), "done");
    const twice = moved(once?.history ?? emptyHistory, "done");
    expect([once?.step.id, twice?.step.id]).toEqual([3, 2]);

    const again = moved(twice?.history ?? emptyHistory, "undone");
    expect(again?.step.id).toBe(2);
    expect(ids(again?.history.done ?? [])).toEqual([1, 2]);
  });

  it("has nothing to undo or redo at its ends", () => {
    expect(moved(emptyHistory, "done")).toBeNull();
    expect(moved(history(2), "undone")).toBeNull();
  });

  it("forgets what could be redone after a new act", () => {
    expect(recorded(back(history(2)), entry(9)).undone).toEqual([]);
  });

  it("takes a step back to its place when it could not be undone", () => {
    const again = putBack(back(back(history(3))), entry(2), "done");

    expect(ids(again.done)).toEqual([1, 2]);
    expect(ids(again.undone)).toEqual([3]);
    expect(ids(putBack(again, entry(2), "undone").undone)).toEqual([3, 2]);
  });

  it("loses what did not come about, wherever the step is by then", () => {
    const many = entry(1, {
      changes: [
        { row: "1", before: "1", after: "2" },
        { row: "2", before: "1", after: "2" },
      ],
    });
    const undone = back(recorded(emptyHistory, many));

    const less = trimmed(undone, 1, ({ row }: Cell) => row === "1");
    expect(less.undone[0]?.changes.map(({ row }) => row)).toEqual(["2"]);
    expect(trimmed(less, 1, () => true).undone).toEqual([]);
    expect(dropped(undone, 1).undone).toEqual([]);
  });

  it("starts from what the server made of a value", () => {
    const upper = (text: string) => (text === "1" ? "I" : text);

    const next = restated(history(2), ({ row }: Cell) => row === "1", upper);

    expect(next.done.map(({ changes }) => changes[0])).toEqual([
      { row: "1", before: "0", after: "I" },
      { row: "1", before: "I", after: "2" },
    ]);
  });

  it("tells a step by what came of it", () => {
    expect(renamed(history(2), 2, "Delete 2 rows").done.map(({ label }) => label)).toEqual([
      "Entry 1",
      "Delete 2 rows",
    ]);
  });

  it("knows how many steps lead to a point", () => {
    const undone = back(back(history(4)));

    expect([1, 2, 3, 4].map((id) => stepsTo(undone, id))).toEqual([1, 0, -1, -2]);
    expect(stepsTo(undone, 0)).toBe(2);
  });
});

describe("reversed", () => {
  it("goes from the last change to the first, after to before", () => {
    const cells = [
      { row: "1", before: "1", after: "2" },
      { row: "1", before: "2", after: "3" },
    ];

    expect(reversed(cells)).toEqual([
      { row: "1", before: "3", after: "2" },
      { row: "1", before: "2", after: "1" },
    ]);
  });
});

describe("a reload", () => {
  const act = (id: number) => entry(id, { changes: [], takeBack: async () => undefined });

  it("keeps the steps after one that cannot be kept", () => {
    const { done } = recorded(recorded(history(1), act(2)), entry(3));

    expect(ids(keepable({ done, undone: [entry(4)] }, 0).done)).toEqual([3]);
  });

  it("keeps acts of the server, and the newest steps where there is no room for all", () => {
    const many = Array.from({ length: MOST_KEPT }, () => ({ row: "1", before: "", after: "1" }));
    const steps = [entry(1), { ...act(2), acts: [{ id: 9 }] }, entry(3, { changes: many })];

    const { done, undone } = keepable({ done: steps, undone: [entry(4)] }, 0);

    expect([ids(done), ids(undone)]).toEqual([[2, 3], []]);
  });

  it("has the steps of both pages in order, and redoes those of the last one", () => {
    const before = back(history(3));

    const both = joined(before, history(1));
    expect(ids(both.done)).toEqual([-3, -2, 1]);
    expect(ids(both.undone)).toEqual([]);
    expect(ids(joined(before, emptyHistory).undone)).toEqual([-1]);
  });
});

describe("the last change of a value", () => {
  const isIt = ({ row }: Cell) => row === "1";

  it("is that of the step that was done or undone last", () => {
    const done = history(2);

    expect(lastChange(done, isIt)).toMatchObject({ value: "2", from: null });
    expect(lastChange(back(done), isIt)).toMatchObject({ value: "1", from: "done" });
    expect(lastChange(emptyHistory, isIt)).toBeNull();
  });
});
