import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { request } from "@/shared/api/client";
import { setTokens } from "@/shared/api/tokens";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { IS_PHONE, setMedia } from "@/shared/testing/media";
import { answer, installServer, never, page, refusal, sent } from "@/shared/testing/server";
import { Button } from "@/shared/ui/Button";
import type { Column, ListParams } from "./column";
import { DataTable, type DataTableProps } from "./DataTable";
import { useTableState } from "./tableState";

type Part = { id: number; name: string; qty: number; note: string };

const columns: readonly Column<Part>[] = [
  {
    id: "name",
    header: "Name",
    sortBy: "name",
    primary: true,
    hideable: false,
    cell: (row) => row.name,
  },
  {
    id: "qty",
    header: "Quantity",
    sortBy: "qty",
    align: "end",
    cell: (row) => row.qty,
    edit: {
      kind: "number",
      value: (row) => String(row.qty),
      check: (text) => (Number(text) >= 0 ? null : "At least 0"),
      parse: (text) => ({ qty: Number(text) }),
    },
  },
  { id: "note", header: "Note", hidden: true, cell: (row) => row.note },
];
const source = {
  key: ["catalog", "parts"] as const,
  fetch: (params: ListParams, signal: AbortSignal) =>
    request<Part>("parts", "GET", null, { params, signal }),
};
const parts = (count: number, from = 1): Part[] =>
  Array.from({ length: count }, (_, index) => ({
    id: from + index,
    name: `Part ${from + index}`,
    qty: 10,
    note: "kept",
  }));

function PartsTable(props: Partial<DataTableProps<Part>>) {
  const table = useTableState("parts", { filters: ["color"] });
  return (
    <DataTable
      label="Parts"
      table={table}
      columns={columns}
      source={source}
      empty={<p>No parts yet</p>}
      searchLabel="Search parts"
      {...props}
    />
  );
}

const ROUTE = "GET /api/parts";
const names = () => screen.queryAllByText(/^Part \d+$/).map((cell) => cell.textContent);
const cell = (name: string) => screen.getByText(name).closest("[role=gridcell]") as HTMLElement;

beforeEach(() => {
  installServer();
  giveElementsASize();
  setTokens({ accessToken: "a", refreshToken: "r" });
});

describe("what a table shows", () => {
  it("is that it is loading, until the rows come", async () => {
    answer(ROUTE, never);
    renderPage(<PartsTable />);

    expect(await screen.findByText("Loading...")).toBeInTheDocument();
    expect(screen.getByRole("grid", { name: "Parts" })).toHaveAttribute("aria-busy", "true");
  });

  it("is the rows, as a grid with its counts", async () => {
    answer(ROUTE, () => page(parts(3), 3));
    renderPage(<PartsTable />);

    expect(await screen.findByText("Part 2")).toBeInTheDocument();
    const grid = screen.getByRole("grid", { name: "Parts" });
    expect(grid).toHaveAttribute("aria-rowcount", "4");
    expect(grid).toHaveAttribute("aria-colcount", "2");
    expect(screen.getAllByRole("columnheader").map((head) => head.textContent)).toEqual([
      "Name",
      "Quantity",
    ]);
    expect(screen.getByText("1–3 of 3")).toBeInTheDocument();
  });

  it("is the page's own words where nothing is there", async () => {
    answer(ROUTE, () => page([]));
    renderPage(<PartsTable />);

    expect(await screen.findByText("No parts yet")).toBeInTheDocument();
    expect(screen.queryByRole("grid")).toBeNull();
  });

  it("is that nothing matches where rows were filtered away, and the way back", async () => {
    answer(ROUTE, ({ query }) => page(query.has("search") ? [] : parts(1)));
    const { user } = renderPage(<PartsTable />, { at: "/?search=zzz" });

    expect(await screen.findByText("Nothing matches")).toBeInTheDocument();
    expect(screen.queryByText("No parts yet")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Clear search and filters" }));

    expect(await screen.findByText("Part 1")).toBeInTheDocument();
    expect(screen.getByRole("searchbox")).toHaveValue("");
  });

  it("is the refusal, and trying again", async () => {
    answer(ROUTE, (_, count) =>
      count === 0 ? refusal(400, "X", "This cannot be sorted.") : page(parts(1)),
    );
    const { user } = renderPage(<PartsTable />);

    expect(await screen.findByRole("alert")).toHaveTextContent("This cannot be sorted.");
    await user.click(screen.getByRole("button", { name: "Try again" }));

    expect(await screen.findByText("Part 1")).toBeInTheDocument();
  });

  it("is only the rows in view and at most five beyond, each 50 px high", async () => {
    answer(ROUTE, () => page(parts(250), 250, 250));
    localStorage.setItem("bb_setting_table_parts", '{"pageSize":250}');
    renderPage(<PartsTable />);
    await screen.findByText("Part 1");

    const rows = screen.getAllByRole("row").slice(1);
    const inView = Math.ceil((600 - 36) / 50); // the head covers the first 36 px
    expect([4, 5]).toContain(rows.length - inView);
    expect(new Set(rows.map((row) => row.style.height))).toEqual(new Set(["50px"]));
    expect(rows[2]?.style.transform).toBe("translateY(100px)");
  });

  it("lies closer together where a person wants it, and stays so", async () => {
    answer(ROUTE, () => page(parts(25), 25));
    const { user, unmount } = renderPage(<PartsTable />);
    await screen.findByText("Part 1");

    await user.click(screen.getByRole("button", { name: "More for this list" }));
    await user.click(await screen.findByRole("menuitemcheckbox", { name: "Compact rows" }));

    const heights = () =>
      new Set(
        screen
          .getAllByRole("row")
          .slice(1)
          .map((row) => row.style.height),
      );
    expect(heights()).toEqual(new Set(["32px"]));
    expect(screen.getAllByRole("row")[3]?.style.transform).toBe("translateY(64px)");

    unmount();
    renderPage(<PartsTable />);
    await screen.findByText("Part 1");
    expect(heights()).toEqual(new Set(["32px"]));
  });
});

describe("paging", () => {
  it("goes on and back, and is stopped at both ends", async () => {
    answer(ROUTE, ({ query }) => page(parts(25, (Number(query.get("page")) - 1) * 25 + 1), 50));
    const { user } = renderPage(<PartsTable />);
    await screen.findByText("Part 1");
    const previous = screen.getByRole("button", { name: "Previous page" });
    const next = screen.getByRole("button", { name: "Next page" });
    expect(previous).toHaveAttribute("aria-disabled", "true");

    await user.click(next);

    expect(await screen.findByText("Part 26")).toBeInTheDocument();
    expect(screen.getByText("26–50 of 50")).toBeInTheDocument();
    expect(next).toHaveAttribute("aria-disabled", "true");
    expect(previous).not.toHaveAttribute("aria-disabled");
  });

  it("offers the sizes, and goes to the first page with another one", async () => {
    answer(ROUTE, () => page(parts(10), 50));
    const { user, router } = renderPage(<PartsTable />, { at: "/?page=2" });
    await screen.findByText("Part 1");
    const select = screen.getByRole("combobox", { name: "Rows per page" });
    const sizes = within(select)
      .getAllByRole("option")
      .map((option) => option.textContent);
    expect(sizes).toEqual([
      "10 per page",
      "25 per page",
      "50 per page",
      "100 per page",
      "250 per page",
      "All",
    ]);

    await user.selectOptions(select, "50");

    await waitFor(() => expect(sent(ROUTE).at(-1)?.query.get("page_size")).toBe("50"));
    expect(router.state.location.search).toBe("");
  });

  it("goes to the first page when the page is gone", async () => {
    answer(ROUTE, ({ query }) =>
      query.get("page") === "9" ? refusal(404, "NOT_FOUND", "No such page.") : page(parts(1)),
    );
    renderPage(<PartsTable />, { at: "/?page=9" });

    expect(await screen.findByText("Part 1")).toBeInTheDocument();
  });

  it("fetches chunks as they come into view when all are shown", async () => {
    answer(ROUTE, ({ query }) => page(parts(100, (Number(query.get("page")) - 1) * 100 + 1), 1000));
    localStorage.setItem("bb_setting_table_parts", '{"pageSize":"all"}');
    renderPage(<PartsTable />);
    await screen.findByText("Part 1");
    expect(screen.getByText("All 1,000")).toBeInTheDocument();
    expect(sent(ROUTE)).toHaveLength(1);

    const viewport = screen.getByRole("grid").parentElement as HTMLElement;
    viewport.scrollTop = 700 * 50;
    fireEvent.scroll(viewport);

    expect(await screen.findByText("Part 701")).toBeInTheDocument();
    expect(sent(ROUTE).map(({ query }) => query.get("page"))).toEqual(["1", "7", "8"]);
  });
});

describe("sorting", () => {
  it("by a column head goes up, then down, then off", async () => {
    answer(ROUTE, () => page(parts(2)));
    const { user } = renderPage(<PartsTable />);
    await screen.findByText("Part 1");
    const head = screen.getByRole("columnheader", { name: "Quantity" });

    await user.click(head);
    await waitFor(() => expect(head).toHaveAttribute("aria-sort", "ascending"));
    await user.click(head);
    await waitFor(() => expect(head).toHaveAttribute("aria-sort", "descending"));
    await user.click(head);
    await waitFor(() => expect(head).not.toHaveAttribute("aria-sort"));

    const asked = sent(ROUTE).map(({ query }) => query.get("ordering"));
    expect(asked.slice(0, 3)).toEqual([null, "qty", "-qty"]);
  });

  it("with Shift adds to the order", async () => {
    answer(ROUTE, () => page(parts(2)));
    const { user } = renderPage(<PartsTable />);
    await screen.findByText("Part 1");

    await user.click(screen.getByRole("columnheader", { name: "Quantity" }));
    await user.keyboard("{Shift>}");
    await user.click(screen.getByRole("columnheader", { name: "Name" }));
    await user.keyboard("{/Shift}");

    await waitFor(() => expect(sent(ROUTE).at(-1)?.query.get("ordering")).toBe("qty,name"));
  });
});

describe("searching", () => {
  afterEach(() => jest.useRealTimers());

  it("asks once, 300 ms after the last key", async () => {
    answer(ROUTE, () => page(parts(2)));
    renderPage(<PartsTable />);
    await screen.findByText("Part 1");
    jest.useFakeTimers();
    const box = screen.getByRole("searchbox", { name: "Search parts" });

    for (const text of ["b", "br", "bri", "bric", "brick"]) {
      fireEvent.change(box, { target: { value: text } });
      act(() => jest.advanceTimersByTime(100));
    }
    act(() => jest.advanceTimersByTime(190));
    expect(sent(ROUTE)).toHaveLength(1);
    await act(() => jest.advanceTimersByTimeAsync(20));

    expect(sent(ROUTE).map(({ query }) => query.get("search"))).toEqual([null, "brick"]);
  });
});

describe("selecting", () => {
  const bulk: DataTableProps<Part>["bulk"] = (selection) => (
    <Button onClick={() => selection.clear()}>
      {selection.allMatching ? "all" : selection.ids.join()}
    </Button>
  );

  it("takes ranges with Shift and tells the bar", async () => {
    answer(ROUTE, () => page(parts(5)));
    const { user } = renderPage(<PartsTable bulk={bulk} />);
    await screen.findByText("Part 1");
    const boxes = screen.getAllByRole("checkbox", { name: "Select row" });

    await user.click(boxes[1] as HTMLElement);
    await user.keyboard("{Shift>}");
    await user.click(boxes[3] as HTMLElement);
    await user.keyboard("{/Shift}");

    expect(screen.getByText("3 selected")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "2,3,4" }));
    expect(screen.queryByText("3 selected")).toBeNull();
  });

  it("cannot be of all rows before there are any", async () => {
    answer(ROUTE, never);
    renderPage(<PartsTable bulk={bulk} />);

    expect(
      await screen.findByRole("checkbox", { name: "Select all rows of this page" }),
    ).toBeDisabled();
  });

  it("offers all that match, until what matches changes", async () => {
    answer(ROUTE, () => page(parts(25), 1284));
    const { user } = renderPage(<PartsTable bulk={bulk} offerAllMatching />);
    await screen.findByText("Part 1");

    await user.click(screen.getByRole("checkbox", { name: "Select all rows of this page" }));
    expect(screen.getByText("25 selected")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Select all 1,284 matching" }));

    expect(screen.getByText("1,284 selected")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "all" })).toBeInTheDocument();
  });
});

describe("the keyboard", () => {
  it("moves through one tab stop and opens a row", async () => {
    answer(ROUTE, () => page(parts(3)));
    const onOpen = jest.fn();
    const { user } = renderPage(<PartsTable onOpen={onOpen} />);
    await screen.findByText("Part 1");
    expect(screen.getAllByRole("gridcell").filter((one) => one.tabIndex === 0)).toHaveLength(1);

    act(() => cell("Part 1").focus());
    await user.keyboard("{ArrowDown}");
    await waitFor(() => expect(cell("Part 2")).toHaveFocus());
    await user.keyboard("{Enter}");

    expect(onOpen).toHaveBeenCalledWith(parts(3)[1]);
  });

  it("sorts from the header and selects with Space", async () => {
    answer(ROUTE, () => page(parts(3)));
    const { user } = renderPage(<PartsTable bulk={() => null} />);
    await screen.findByText("Part 1");

    act(() => cell("Part 1").focus());
    await user.keyboard(" ");
    expect(screen.getByText("1 selected")).toBeInTheDocument();
    await user.keyboard("{ArrowUp}");
    await waitFor(() => expect(screen.getByRole("columnheader", { name: "Name" })).toHaveFocus());
    await user.keyboard("{Enter}");

    await waitFor(() => expect(sent(ROUTE).at(-1)?.query.get("ordering")).toBe("name"));
  });
});

describe("columns", () => {
  it("are hidden, shown and moved, and stay so", async () => {
    answer(ROUTE, () => page(parts(1)));
    const { user, unmount } = renderPage(<PartsTable />);
    await screen.findByText("Part 1");

    await user.click(screen.getByRole("button", { name: "Columns" }));
    await user.click(await screen.findByRole("checkbox", { name: "Show Note" }));
    await user.click(screen.getByRole("button", { name: "Move Quantity up" }));
    expect(screen.getByRole("checkbox", { name: "Show Name" })).toBeDisabled();
    unmount();
    renderPage(<PartsTable />);
    await screen.findByText("Part 1");

    expect(screen.getAllByRole("columnheader").map((head) => head.textContent)).toEqual([
      "Quantity",
      "Name",
      "Note",
    ]);
  });
});

describe("on a phone", () => {
  it("rows are cards with the same actions", async () => {
    setMedia(IS_PHONE, true);
    answer(ROUTE, () => page(parts(2)));
    const run = jest.fn();
    const { user } = renderPage(
      <PartsTable rowActions={() => [{ id: "x", label: "Delete", run }]} />,
    );

    expect(await screen.findByText("Part 2")).toBeInTheDocument();
    expect(screen.queryByRole("grid")).toBeNull();
    await user.click(screen.getAllByRole("button", { name: "Row actions" })[0] as HTMLElement);
    await user.click(await screen.findByRole("menuitem", { name: "Delete" }));

    expect(run).toHaveBeenCalledTimes(1);
    expect(names()).toEqual(["Part 1", "Part 2"]);
  });
});
