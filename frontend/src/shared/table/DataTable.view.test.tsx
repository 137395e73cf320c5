import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { request } from "@/shared/api/client";
import { setTokens } from "@/shared/api/tokens";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { IS_PHONE, setMedia } from "@/shared/testing/media";
import {
  answer,
  installServer,
  never,
  page,
  refusal,
  type Sent,
  sent,
} from "@/shared/testing/server";
import type { Column, ListParams } from "./column";
import { DataTable, type DataTableProps } from "./DataTable";
import { useTableState } from "./tableState";

type Part = { id: number; name: string; qty: number };

const columns: readonly Column<Part>[] = [
  {
    id: "name",
    header: "Name",
    sortBy: "name",
    primary: true,
    hideable: false,
    cell: (row) => row.name,
    filter: { kind: "text", param: "name" },
  },
  {
    id: "qty",
    header: "Quantity",
    sortBy: "qty",
    cell: (row) => row.qty,
    filter: { kind: "number", from: "qty_min", to: "qty_max" },
  },
  {
    id: "kind",
    header: "Kind",
    cell: () => "Brick",
    filter: { kind: "choice", param: "kind", options: [{ value: "B", label: "Brick" }] },
  },
];
const source = {
  key: ["catalog", "parts"] as const,
  fetch: (params: ListParams, signal: AbortSignal) =>
    request<Part>("parts", "GET", null, { params, signal }),
};
const ROUTE = "GET /api/parts";
const parts = (count: number, from = 1): Part[] =>
  Array.from({ length: count }, (_, index) => ({
    id: from + index,
    name: `Part ${from + index}`,
    qty: 10,
  }));
/** The requested page, of this many parts. */
const pageOf =
  (total: number) =>
  ({ query }: Sent) => {
    const size = Number(query.get("page_size"));
    const first = (Number(query.get("page")) - 1) * size + 1;
    return page(parts(Math.min(size, total - first + 1), first), total, size);
  };

function PartsTable(props: Partial<DataTableProps<Part>>) {
  const table = useTableState("parts", { columns });
  return (
    <DataTable
      label="Parts"
      table={table}
      columns={columns}
      source={source}
      empty={<p>No parts yet</p>}
      {...props}
    />
  );
}

const showAll = () => localStorage.setItem("bb_setting_table_parts", '{"pageSize":"all"}');
const cell = (name: string) => screen.getByText(name).closest("[role=gridcell]") as HTMLElement;
const heads = () => screen.getAllByRole("columnheader").map((head) => head.textContent);
const lastAsked = () => sent(ROUTE).at(-1)?.query;
function scrollTo(row: number) {
  const viewport = screen.getByRole("grid").parentElement as HTMLElement;
  viewport.scrollTop = row * 50;
  fireEvent.scroll(viewport);
}

beforeEach(() => {
  installServer();
  giveElementsASize();
  setTokens({ accessToken: "a", refreshToken: "r" });
});

describe("all rows", () => {
  it("are counted for screen readers, wherever the view stands", async () => {
    showAll();
    answer(ROUTE, pageOf(1000));
    renderPage(<PartsTable />);
    await screen.findByText("Part 1");

    scrollTo(700);

    expect(await screen.findByText("Part 701")).toBeInTheDocument();
    expect(screen.getByRole("grid")).toHaveAttribute("aria-rowcount", "1001");
    expect(screen.getByText("Part 701").closest("[role=row]")).toHaveAttribute(
      "aria-rowindex",
      "702",
    );
  });

  it("are not fetched while they only fly by", async () => {
    showAll();
    answer(ROUTE, pageOf(10_000));
    renderPage(<PartsTable />);
    await screen.findByText("Part 1");

    jest.useFakeTimers();
    for (const row of [1000, 2000, 3000, 4000, 9000]) scrollTo(row);
    act(() => jest.advanceTimersByTime(200));
    jest.useRealTimers();

    expect(await screen.findByText("Part 9001")).toBeInTheDocument();
    const asked = sent(ROUTE).map(({ query }) => query.get("page"));
    expect(asked).not.toContain("31");
    expect(asked).not.toContain("41");
  });

  it("are not fetched while they pass faster than the server answers", async () => {
    jest.useFakeTimers();
    showAll();
    answer(ROUTE, (asked, count) => {
      if (count === 0) jest.advanceTimersByTime(250);
      const wanted = ["1", "90", "91"].includes(asked.query.get("page") ?? "");
      return wanted ? pageOf(10_000)(asked) : never();
    });
    renderPage(<PartsTable />);
    await screen.findByText("Part 1");

    for (const row of [1000, 2000, 3000, 9000]) {
      scrollTo(row);
      act(() => jest.advanceTimersByTime(200));
    }

    expect(await screen.findByText("Part 9001")).toBeInTheDocument();
    jest.useRealTimers();
    const asked = sent(ROUTE).map(({ query }) => query.get("page"));
    expect(asked).not.toContain("21");
    expect(asked).not.toContain("31");
  });

  it("that fail leave the others there, and can be tried again", async () => {
    showAll();
    let broken = true;
    answer(ROUTE, (asked) =>
      broken && asked.query.get("page") !== "1"
        ? refusal(400, "X", "Out of order.")
        : pageOf(1000)(asked),
    );
    const { user } = renderPage(<PartsTable />);
    await screen.findByText("Part 1");
    scrollTo(750);

    expect(await screen.findByText("Some rows could not be loaded")).toBeInTheDocument();
    broken = false;
    await user.click(screen.getByRole("button", { name: "Try again" }));

    expect(await screen.findByText("Part 751")).toBeInTheDocument();
  });
});

describe("a row that is drawn", () => {
  const counted = (drawn: Map<number, number>): typeof columns => [
    {
      id: "name",
      header: "Name",
      cell: (row) => {
        drawn.set(row.id, (drawn.get(row.id) ?? 0) + 1);
        return row.name;
      },
    },
  ];

  it("is not drawn again while other rows come and go", async () => {
    showAll();
    answer(ROUTE, pageOf(1000));
    const drawn = new Map<number, number>();
    const named = counted(drawn);
    renderPage(<PartsTable columns={named} />);
    await screen.findByText("Part 1");
    scrollTo(92);
    await screen.findByText("Part 101");

    scrollTo(97);

    await screen.findByText("Part 112");
    expect([98, 99, 100, 101, 102].map((id) => drawn.get(id))).toEqual([1, 1, 1, 1, 1]);
  });

  it("is not drawn again when another row is selected", async () => {
    answer(ROUTE, pageOf(25));
    const drawn = new Map<number, number>();
    const named = counted(drawn);
    const { user } = renderPage(<PartsTable columns={named} bulk={() => null} />);
    await screen.findByText("Part 2");

    await user.click(screen.getAllByRole("checkbox", { name: "Select row" })[1] as HTMLElement);

    expect(screen.getByText("1 selected")).toBeInTheDocument();
    expect([3, 4, 5].map((id) => drawn.get(id))).toEqual([1, 1, 1]);
  });
});

describe("the focus", () => {
  it("stays with the grid when its cell is scrolled away", async () => {
    showAll();
    answer(ROUTE, pageOf(1000));
    renderPage(<PartsTable />);
    await screen.findByText("Part 1");
    act(() => cell("Part 1").focus());

    scrollTo(700);

    await screen.findByText("Part 701");
    expect(screen.getByRole("grid")).toHaveFocus();
  });
});

describe("the filters of columns", () => {
  it("open as a row, ask the server after 300 ms, and lie in the address", async () => {
    answer(ROUTE, pageOf(30));
    const { user, router } = renderPage(<PartsTable />, { at: "/?page=2" });
    await screen.findByText("Part 26");

    await user.click(screen.getByRole("button", { name: "Filter" }));
    await user.type(await screen.findByRole("textbox", { name: "Name has" }), "bri");
    await user.type(screen.getByRole("textbox", { name: "Quantity in the range" }), "5-10");
    await user.selectOptions(screen.getByRole("combobox", { name: "Kind is" }), "B");

    await waitFor(() =>
      expect(Object.fromEntries(lastAsked() ?? [])).toMatchObject({
        name: "bri",
        qty_min: "5",
        qty_max: "10",
        kind: "B",
        page: "1",
      }),
    );
    expect(router.state.location.search).not.toContain("page=");
    // Typed letter by letter; one request for the text.
    expect(sent(ROUTE).map(({ query }) => query.get("name"))).not.toContain("br");
  });

  it("refuse what is no range, and ask nothing", async () => {
    answer(ROUTE, pageOf(3));
    localStorage.setItem("bb_setting_table_parts", '{"filterRow":true}');
    const { user } = renderPage(<PartsTable />);
    const field = await screen.findByRole("textbox", { name: "Quantity in the range" });

    await user.type(field, "many");

    await waitFor(() => expect(field).toHaveAttribute("aria-invalid", "true"));
    expect(sent(ROUTE)).toHaveLength(1);
  });

  it("are told as chips, and taken off one by one or all at once", async () => {
    answer(ROUTE, pageOf(3));
    const { user } = renderPage(<PartsTable />, { at: "/?qty_min=5&kind=B&name=x" });
    const chips = await screen.findByRole("list", { name: "Filters" });
    expect(within(chips).getByText("Quantity from 5")).toBeInTheDocument();
    expect(within(chips).getByText("Kind is Brick")).toBeInTheDocument();

    await user.click(within(chips).getByRole("button", { name: "Remove filter: Quantity from 5" }));
    await waitFor(() => expect(lastAsked()?.has("qty_min")).toBe(false));
    expect(lastAsked()?.get("kind")).toBe("B");
    await user.click(within(chips).getByRole("button", { name: "Clear all" }));

    await waitFor(() => expect(screen.queryByRole("list", { name: "Filters" })).toBeNull());
    expect(lastAsked()?.has("kind")).toBe(false);
  });

  it("say how many were found", async () => {
    answer(ROUTE, ({ query }) => page(parts(2), query.has("kind") ? 2 : 30));
    const { user } = renderPage(<PartsTable />);
    await screen.findByText("Part 1");
    await user.click(screen.getByRole("button", { name: "Filter" }));

    await user.selectOptions(await screen.findByRole("combobox", { name: "Kind is" }), "B");

    expect(await screen.findByText("2 found, rows 1 to 2")).toBeInTheDocument();
  });
});

describe("columns", () => {
  it("are pinned to a side and stay there; Reset brings them back", async () => {
    answer(ROUTE, pageOf(1));
    const { user } = renderPage(<PartsTable />);
    await screen.findByText("Part 1");
    await user.click(screen.getByRole("button", { name: "Columns" }));

    await user.click(await screen.findByRole("button", { name: "Pin Kind to the left" }));
    await user.click(screen.getByRole("button", { name: "Pin Name to the right" }));

    expect(heads()).toEqual(["Kind", "Quantity", "Name"]);
    expect(screen.getByRole("columnheader", { name: "Kind" })).toHaveStyle({
      left: "var(--pin-0)",
    });
    await user.click(screen.getByRole("button", { name: "Reset columns" }));
    expect(heads()).toEqual(["Name", "Quantity", "Kind"]);
  });

  it("are moved and widened by keys at their heads, and this is told", async () => {
    answer(ROUTE, pageOf(1));
    const { user } = renderPage(<PartsTable />);
    await screen.findByText("Part 1");
    act(() => screen.getByRole("columnheader", { name: "Name" }).focus());

    await user.keyboard("{Alt>}{Shift>}{ArrowRight}{/Shift}{/Alt}");

    await waitFor(() => expect(heads()).toEqual(["Quantity", "Name", "Kind"]));
    expect(screen.getByText("Name moved behind Quantity")).toBeInTheDocument();
    await user.keyboard("{Alt>}{ArrowRight}{/Alt}");
    await waitFor(() =>
      expect(screen.getByRole("grid").style.getPropertyValue("--width")).toBe("430px"),
    );
  });

  it("show their rank where several sort", async () => {
    answer(ROUTE, pageOf(3));
    renderPage(<PartsTable />, { at: "/?ordering=qty,-name" });
    await screen.findByText("Part 1");

    expect(heads()).toEqual(["Name2", "Quantity1", "Kind"]);
    expect(screen.getByRole("columnheader", { name: /Name/ })).toHaveAttribute(
      "aria-sort",
      "descending",
    );
  });
});

describe("selecting", () => {
  const bulk: DataTableProps<Part>["bulk"] = (selection) => (
    <p>{selection.allMatching ? "all" : `${selection.ids.length}: ${selection.ids.at(-1)}`}</p>
  );

  it("takes ranges over rows that were never loaded", async () => {
    showAll();
    answer(ROUTE, pageOf(1000));
    renderPage(<PartsTable bulk={bulk} />);
    await screen.findByText("Part 1");
    const box = (name: string) =>
      within(screen.getByText(name).closest("[role=row]") as HTMLElement).getByRole("checkbox");

    fireEvent.click(box("Part 1"));
    scrollTo(700);
    await screen.findByText("Part 702");
    fireEvent.click(box("Part 702"), { shiftKey: true });

    expect(await screen.findByText("702: 702")).toBeInTheDocument();
    expect(new Set(sent(ROUTE).map(({ query }) => query.get("page"))).size).toBe(8);
  });

  it("keeps what is chosen over pages", async () => {
    answer(ROUTE, pageOf(50));
    const { user } = renderPage(<PartsTable bulk={bulk} />);
    await screen.findByText("Part 1");

    await user.click(screen.getAllByRole("checkbox", { name: "Select row" })[0] as HTMLElement);
    await user.click(screen.getByRole("button", { name: "Next page" }));
    await screen.findByText("Part 26");
    await user.click(screen.getAllByRole("checkbox", { name: "Select row" })[0] as HTMLElement);

    expect(screen.getByText("2: 26")).toBeInTheDocument();
  });

  it("draws every row as chosen with all that match, and leaves that for one row less", async () => {
    answer(ROUTE, pageOf(60));
    const { user } = renderPage(<PartsTable bulk={bulk} offerAllMatching />);
    await screen.findByText("Part 1");
    await user.click(screen.getByRole("checkbox", { name: "Select all rows of this page" }));
    await user.click(screen.getByRole("button", { name: "Select all 60 matching" }));
    const boxes = screen.getAllByRole<HTMLInputElement>("checkbox", { name: "Select row" });
    expect(boxes.every((box) => box.checked)).toBe(true);

    await user.click(boxes[0] as HTMLElement);

    expect(screen.getByText("24 selected")).toBeInTheDocument();
  });

  it("tells what the chosen rows come to", async () => {
    answer(ROUTE, pageOf(60));
    const summed = columns.map((column) =>
      column.id === "qty"
        ? {
            ...column,
            sum: (rows: readonly Part[]) => `${rows.reduce((all, { qty }) => all + qty, 0)} pieces`,
          }
        : column,
    );
    const { user } = renderPage(<PartsTable bulk={bulk} columns={summed} offerAllMatching />);
    await screen.findByText("Part 1");
    await user.click(screen.getAllByRole("checkbox", { name: "Select row" })[0] as HTMLElement);
    expect(screen.getByText("10 pieces")).toBeInTheDocument();
    await user.click(screen.getAllByRole("checkbox", { name: "Select row" })[1] as HTMLElement);
    expect(screen.getByText("20 pieces")).toBeInTheDocument();

    await user.click(screen.getByRole("button", { name: "Select all 60 matching" }));

    expect(screen.queryByText(/pieces/)).toBeNull(); // not all of them are loaded
  });
});

describe("on a phone", () => {
  it("sorts, filters and selects from one panel", async () => {
    setMedia(IS_PHONE, true);
    answer(ROUTE, pageOf(30));
    const { user } = renderPage(<PartsTable bulk={(selection) => <p>{selection.count} here</p>} />);
    await screen.findByText("Part 2");

    await user.click(screen.getByRole("button", { name: "Sort and filter" }));
    await user.selectOptions(await screen.findByRole("combobox", { name: "Sort by" }), "-qty");
    await waitFor(() => expect(lastAsked()?.get("ordering")).toBe("-qty"));
    await user.selectOptions(screen.getByRole("combobox", { name: "Kind is" }), "B");
    await waitFor(() => expect(lastAsked()?.get("kind")).toBe("B"));
    await user.click(screen.getByRole("button", { name: "Select all" }));

    expect(screen.getByText("25 here")).toBeInTheDocument();
  });
});
