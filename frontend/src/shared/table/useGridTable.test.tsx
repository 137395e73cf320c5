import { act } from "@testing-library/react";
import type { Column } from "./column";
import { readTableSettings, writeTableSettings } from "./tableSettings";
import type { Sort } from "./tableState";
import { aGridTable } from "./testing/gridTable";

type Row = { id: number };
const column = (id: string, given: Partial<Column<Row>> = {}): Column<Row> => ({
  id,
  header: id,
  cell: () => id,
  ...given,
});

function drawn(columns: readonly Column<Row>[], sorts: readonly Sort[] = []) {
  const { layout, setSorts } = aGridTable(columns, sorts);
  const columnOf = (id: string) => {
    const found = layout().all.find((one) => one.id === id);
    if (!found) throw new Error(`no column ${id}`);
    return found;
  };
  const ids = () => layout().shown.map(({ id }) => id);
  return { layout, columnOf, ids, setSorts };
}

beforeEach(() => localStorage.clear());

describe("the order after a click on a head", () => {
  const up = (field: string) => ({ field, direction: "asc" }) as const;
  const down = (field: string) => ({ field, direction: "desc" }) as const;
  const columns = [column("A", { sortBy: "a" }), column("B", { sortBy: "b" })];
  const largest = [column("A", { sortBy: "a", sortFirst: "desc" })];
  function click(given: readonly Column<Row>[], sorts: readonly Sort[], add: boolean) {
    const { columnOf, setSorts } = drawn(given, sorts);
    act(() => columnOf("A").toggleSorting(undefined, add));
    return setSorts.mock.calls[0]?.[0];
  }

  it.each([
    ["begins ascending", [], [up("a")]],
    ["turns to descending", [up("a")], [down("a")]],
    ["ends", [down("a")], []],
    ["leaves other columns behind", [up("b"), up("a")], [down("a")]],
  ])("%s", (_, before, after) => {
    expect(click(columns, before, false)).toEqual(after);
  });

  it("begins with the largest where a column says so", () => {
    expect(click(largest, [], false)).toEqual([down("a")]);
    expect(click(largest, [down("a")], false)).toEqual([up("a")]);
    expect(click(largest, [up("a")], false)).toEqual([]);
  });

  it.each([
    ["comes last", [up("b")], [up("b"), up("a")]],
    ["turns where it stands", [up("a"), up("b")], [down("a"), up("b")]],
    ["is taken out alone", [down("a"), up("b")], [up("b")]],
    ["keeps an order that no column has", [up("zip")], [up("zip"), up("a")]],
  ])("with Shift %s", (_, before, after) => {
    expect(click(columns, before, true)).toEqual(after);
  });

  it("is the same for two columns of one field", () => {
    const twice = [column("A", { sortBy: "a" }), column("again", { sortBy: "a" })];
    const { layout, columnOf } = drawn(twice, [down("a")]);

    expect(layout().sorterOf(columnOf("again").columnDef.meta)?.getIsSorted()).toBe("desc");
  });
});

describe("the arrangement of the columns", () => {
  const columns = [column("a"), column("b", { pin: "left" }), column("c", { hidden: true })];

  it("is read as it was stored", () => {
    writeTableSettings("t", {
      order: ["c", "gone", "a"],
      visibility: { c: true },
      pinning: { b: "none", a: "right" },
      sizing: { b: 90 },
    });
    const { ids, columnOf } = drawn([...columns, column("d", { width: 64 })]);

    expect(ids()).toEqual(["c", "b", "d", "a"]);
    expect(columnOf("b").getSize()).toBe(90);
    expect(columnOf("d").getSize()).toBe(64);
  });

  it("stores only what a person changed", () => {
    const { columnOf, ids, layout } = drawn(columns);
    expect(ids()).toEqual(["b", "a"]);

    act(() => columnOf("c").toggleVisibility());
    act(() => columnOf("b").pin(false));
    act(() => columnOf("a").pin("end"));
    act(() => layout().setWidths({ a: 20.4, b: 99.6 }));

    expect(readTableSettings("t")).toMatchObject({
      order: [],
      visibility: { c: true },
      pinning: { a: "right", b: "none" },
      sizing: { a: 56, b: 100 },
    });
  });

  it("keeps columns of one side in their order, whichever was pinned first", () => {
    const { columnOf, ids } = drawn([column("a"), column("b"), column("c")]);

    act(() => columnOf("c").pin("start"));
    act(() => columnOf("a").pin("start"));

    expect(ids()).toEqual(["a", "c", "b"]);
  });
});
