import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter, useLocation } from "react-router-dom";
import {
  pageIndexSchema,
  pageSizeSchema,
  readOrdering,
  type Sort,
  sortDirectionSchema,
  syncProgressSchema,
  useTableState,
  writeOrdering,
} from "./tableState";

const options = { filters: ["location", "condition"], ordering: "-createdAt" };

function stateAt(address: string) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>
  );
  const hook = renderHook(
    () => ({ table: useTableState("things", options), search: useLocation().search }),
    { wrapper },
  );
  return {
    now: () => hook.result.current.table,
    search: () => hook.result.current.search,
    change: (work: (table: ReturnType<typeof useTableState>) => void) =>
      act(() => work(hook.result.current.table)),
  };
}

describe("table state", () => {
  it("tells whose days a filter by day means, and only then", () => {
    const columns = [{ filter: { kind: "date", from: "made_from", to: "made_to" } as const }];
    const at = (address: string) =>
      renderHook(() => useTableState("things", { columns }), {
        wrapper: ({ children }: { children: ReactNode }) => (
          <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>
        ),
      }).result.current.params;

    expect(at("/things?made_from=2026-11-01")).toMatchObject({
      made_from: "2026-11-01",
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    expect(at("/things")).not.toHaveProperty("time_zone");
  });

  it("begins at the first page of 25 with the page's own order", () => {
    const { now } = stateAt("/things");

    expect(now()).toMatchObject({ pageIndex: 0, pageSize: 25, isNarrowed: false });
    expect(now().params).toEqual({ page: 1, page_size: 25, ordering: "-createdAt" });
  });

  it("is read from the address", () => {
    const { now } = stateAt("/things?page=3&ordering=name,-price&search=brick&location=7&other=1");

    expect(now().params).toEqual({
      page: 3,
      page_size: 25,
      ordering: "name,-price",
      search: "brick",
      location: "7",
    });
    expect(now().isNarrowed).toBe(true);
  });

  it.each(["0", "-1", "1.5", "x"])("takes page=%s for the first", (page) => {
    expect(stateAt(`/things?page=${page}`).now().pageIndex).toBe(0);
  });

  it("keeps all of several changes at once", () => {
    const { now, change } = stateAt("/things");

    change((table) => {
      table.setFilter("location", "7");
      table.setSearch("brick");
      table.setFilter("condition", "N");
    });

    expect(now().params).toMatchObject({ location: "7", search: "brick", condition: "N" });
  });

  it("goes back to the first page when what is listed changes", () => {
    const { now, search, change } = stateAt("/things?page=3&other=1");

    change((table) => table.setFilter("location", "7"));
    expect(search()).toBe("?other=1&location=7");

    change((table) => table.setPageIndex(4));
    expect(now().params.page).toBe(5);

    change((table) => table.setSearch(" brick "));
    expect(now().params).toMatchObject({ page: 1, search: "brick", location: "7" });

    change((table) => table.clearNarrowing());
    expect(search()).toBe("?other=1");
  });

  it("keeps the page size for this table in this browser", () => {
    const { change, now } = stateAt("/things");

    change((table) => table.setPageSize(50));

    expect(now().params.page_size).toBe(50);
    expect(JSON.parse(localStorage.bb_setting_table_things)).toMatchObject({ pageSize: 50 });
    expect(stateAt("/things").now().pageSize).toBe(50);
  });

  it("fetches by chunks when all rows are shown", () => {
    const { change, now } = stateAt("/things?page=3");

    change((table) => table.setPageSize("all"));

    expect(now().params).toMatchObject({ page: 1, page_size: 100 });
  });
});

describe("table state refuses", () => {
  it.each([0, -1, 1.5])("page size %p", (size) => {
    expect(pageSizeSchema.safeParse(size).success).toBe(false);
    expect(() => stateAt("/").change((table) => table.setPageSize(size))).toThrow("at least 1");
  });

  it("page index -1", () => {
    expect(pageIndexSchema.safeParse(-1).success).toBe(false);
    expect(() => stateAt("/").change((table) => table.setPageIndex(-1))).toThrow("at least 0");
  });

  it("a sort direction other than asc and desc", () => {
    expect(sortDirectionSchema.safeParse("up").success).toBe(false);
    const sorts = [{ field: "name", direction: "up" }] as unknown as Sort[];
    expect(() => stateAt("/").change((table) => table.setSorts(sorts))).toThrow();
  });

  it("a progress below 0 or above 100", () => {
    const fits = [0, 100, -1, 101].map((value) => syncProgressSchema.safeParse(value).success);

    expect(fits).toEqual([true, true, false, false]);
  });
});

describe("table state accepts", () => {
  it("page size 1, page index 0, asc and desc", () => {
    expect(pageSizeSchema.parse(1)).toBe(1);
    expect(pageIndexSchema.parse(0)).toBe(0);
    expect(["asc", "desc"].map((one) => sortDirectionSchema.parse(one))).toEqual(["asc", "desc"]);
  });
});

describe("ordering", () => {
  it("is written and read as the server spells it", () => {
    const sorts: Sort[] = [
      { field: "name", direction: "asc" },
      { field: "price", direction: "desc" },
    ];

    expect(writeOrdering(sorts)).toBe("name,-price");
    expect(readOrdering("name,-price")).toEqual(sorts);
    expect(readOrdering("")).toEqual([]);
  });
});
