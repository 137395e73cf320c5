import { act, createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { bulkOf } from "@/shared/api/bulk";
import { request } from "@/shared/api/client";
import { setTokens } from "@/shared/api/tokens";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { answer, installServer, json, ok, page, refusal, sent } from "@/shared/testing/server";
import type { Column, ListParams } from "../column";
import { DataTable, type DataTableProps } from "../DataTable";
import { useTableState } from "../tableState";

type Part = { id: number; name: string; qty: number; note: string; updatedAt: string };

const columns: readonly Column<Part>[] = [
  { id: "name", header: "Name", sortBy: "name", hideable: false, cell: (row) => row.name },
  {
    id: "qty",
    header: "Quantity",
    align: "end",
    cell: (row) => row.qty,
    edit: {
      kind: "number",
      places: 0,
      value: (row) => String(row.qty),
      check: (text) => (/^\d+$/.test(text) ? null : "A whole number."),
      parse: (text) => ({ qty: Number(text) }),
    },
  },
  {
    id: "note",
    header: "Note",
    cell: (row) => row.note,
    edit: { kind: "text", value: (row) => row.note, parse: (text) => ({ note: text }) },
  },
];
const source = {
  key: ["catalog", "parts"] as const,
  fetch: (params: ListParams, signal: AbortSignal) =>
    request<Part>("parts", "GET", null, { params, signal }),
};
const saveMany = bulkOf<Part>("parts/bulk");

let stored: Part[];
let version = 0;

function write(id: number, changes: Partial<Part>): Part {
  version += 1;
  stored = stored.map((row) =>
    row.id === id ? { ...row, ...changes, updatedAt: `v${version}` } : row,
  );
  return stored.find((row) => row.id === id) as Part;
}

/** PATCH of a row and the bulk request, with answers like the API's. */
function serve(count: number) {
  stored = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Part ${index + 1}`,
    qty: 10 + index,
    note: index === 0 ? "x" : "",
    updatedAt: "v0",
  }));
  answer("GET /api/parts", () => page(stored, stored.length));
  for (const { id } of stored) {
    answer(`PATCH /api/parts/${id}`, ({ body }) => {
      const { updatedAt, ...changes } = body as Part;
      const now = stored.find((row) => row.id === id) as Part;
      if (updatedAt !== now.updatedAt) {
        return refusal(409, "CONFLICT", "Changed elsewhere.", { data: [now] });
      }
      if (changes.qty > 999) {
        return refusal(400, "VALIDATION_ERROR", "Not valid.", { fields: { qty: ["Too many."] } });
      }
      return ok([write(id, changes)]);
    });
  }
  answer("POST /api/parts/bulk", ({ body }) => {
    const { update, atomic } = body as { update: Part[]; atomic: boolean };
    const wrong = update.flatMap(({ qty }, index) => (qty > 999 ? index : []));
    if (atomic && wrong.length) {
      const fields = Object.fromEntries(wrong.map((i) => [`update.${i}`, { qty: ["Too many."] }]));
      const error = { code: "VALIDATION_ERROR", message: "Refused.", fields };
      return json(400, { success: false, data: [], error, meta: { http_status_code: 400, error } });
    }
    return ok(
      update.map(({ id, updatedAt: _seen, ...changes }, index) => ({
        action: "update",
        index,
        ok: !wrong.includes(index),
        id,
        code: null,
        message: wrong.includes(index) ? "Too many." : null,
        fields: null,
        row: wrong.includes(index) ? null : write(id, changes),
      })),
    );
  });
}

function PartsTable(props: Partial<DataTableProps<Part>>) {
  const table = useTableState("parts");
  return (
    <DataTable
      label="Parts"
      table={table}
      columns={columns}
      source={source}
      empty={<p>No parts yet</p>}
      onEdit={({ id, updatedAt }, changes) => ({
        method: "PATCH",
        path: `parts/${id}`,
        body: { ...changes, updatedAt },
      })}
      onBulk={saveMany}
      {...props}
    />
  );
}

async function openTable(count = 4, props: Partial<DataTableProps<Part>> = {}) {
  serve(count);
  const rendered = renderPage(<PartsTable {...props} />);
  await waitFor(() => expect(screen.getByRole("grid")).not.toHaveAttribute("aria-readonly"));
  await screen.findByText("Part 1");
  return rendered;
}

const BULK = "POST /api/parts/bulk";
const patches = (id: number) => sent(`PATCH /api/parts/${id}`).map(({ body }) => body as Part);
/** The cell at a row (from 1) and a column. */
const cellAt = (row: number, column: "name" | "qty" | "note") =>
  document.querySelector(
    `[data-cell="${row - 1}:${{ name: 1, qty: 2, note: 3 }[column]}"]`,
  ) as HTMLElement;
const quantities = () =>
  stored.map((_, index) => Number(cellAt(index + 1, "qty").textContent?.match(/^\d+/)?.[0]));
const focus = (row: number, column: "name" | "qty" | "note") =>
  act(() => cellAt(row, column).focus());

function clip(kind: "copy" | "paste" | "cut", text = "") {
  const data = new Map([["text/plain", text]]);
  const element = document.activeElement as HTMLElement;
  const event = createEvent[kind](element, {
    clipboardData: {
      getData: (type: string) => data.get(type) ?? "",
      setData: (type: string, value: string) => data.set(type, value),
    },
  });
  fireEvent(element, event);
  return () => data.get("text/plain");
}

beforeEach(() => {
  installServer();
  giveElementsASize();
  setTokens({ accessToken: "a", refreshToken: "r" });
});

describe("editing a cell", () => {
  it("shows the value at once and sends one call with the row's version and a key", async () => {
    const { user } = await openTable();
    focus(1, "qty");

    await user.keyboard("{Enter}");
    await user.clear(screen.getByRole("textbox", { name: "Quantity" }));
    await user.keyboard("7{Enter}");

    expect(cellAt(1, "qty")).toHaveTextContent("7");
    expect(cellAt(1, "qty")).toHaveAttribute("aria-busy", "true");
    await waitFor(() => expect(cellAt(1, "qty")).not.toHaveAttribute("aria-busy"));
    expect(patches(1)).toEqual([{ qty: 7, updatedAt: "v0" }]);
    expect(sent("PATCH /api/parts/1")[0]?.headers["Idempotency-Key"]).toBeTruthy();
    expect(sent("GET /api/parts")).toHaveLength(1);
  });

  it("shows the row's progress at 0 and at 100", async () => {
    const { user } = await openTable();
    let reply = (_: Response) => undefined as unknown;
    const held = new Promise<Response>((resolve) => {
      reply = resolve;
    });
    answer("PATCH /api/parts/1", () => held);
    focus(1, "qty");
    await user.keyboard("7{Enter}");

    const saving = await screen.findByRole("progressbar", { name: "Saving" });
    expect(saving).toHaveAttribute("aria-valuenow", "0");
    await act(async () => reply(ok([write(1, { qty: 7 })])));

    const saved = await screen.findByRole("progressbar", { name: "Saved" });
    expect(saved).toHaveAttribute("aria-valuenow", "100");
  });

  it("selects a value of one character too, and begins anew by typing", async () => {
    const { user } = await openTable();
    const selected = () => {
      const editor = screen.getByRole("textbox") as HTMLInputElement;
      return [editor.value, editor.selectionStart, editor.selectionEnd];
    };
    focus(1, "note");
    await user.keyboard("{F2}");
    expect(selected()).toEqual(["x", 0, 1]);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(cellAt(1, "note")).toHaveFocus());
    await user.keyboard("7");

    expect(selected()).toEqual(["7", 1, 1]);
    // Unsent edits are sent when the table is removed, and would reach the next test.
    await user.keyboard("{Escape}");
  });

  it("goes down with Enter, up with Shift, right and left with Tab", async () => {
    const { user } = await openTable();
    focus(2, "qty");
    await user.keyboard("{F2}{Enter}");
    await waitFor(() => expect(cellAt(3, "qty")).toHaveFocus());
    await user.keyboard("{F2}{Shift>}{Enter}{/Shift}");
    await waitFor(() => expect(cellAt(2, "qty")).toHaveFocus());
    await user.keyboard("{F2}{Tab}");
    await waitFor(() => expect(cellAt(2, "note")).toHaveFocus());
    await user.keyboard("{F2}{Shift>}{Tab}{/Shift}");

    await waitFor(() => expect(cellAt(2, "qty")).toHaveFocus());
  });

  it("tells what cannot be right 300 ms after the last key, and what a formula comes to", async () => {
    await openTable();
    focus(1, "qty");
    fireEvent.keyDown(cellAt(1, "qty"), { key: "F2" });
    const editor = screen.getByRole("textbox", { name: "Quantity" });
    jest.useFakeTimers();

    fireEvent.change(editor, { target: { value: "-" } });
    act(() => jest.advanceTimersByTime(200));
    fireEvent.change(editor, { target: { value: "-1" } });
    act(() => jest.advanceTimersByTime(299));
    expect(screen.queryByRole("alert")).toBeNull();
    act(() => jest.advanceTimersByTime(1));
    expect(screen.getByRole("alert")).toHaveTextContent("A whole number.");
    fireEvent.change(editor, { target: { value: "=*1.5" } });
    act(() => jest.advanceTimersByTime(300));

    expect(editor).toHaveAccessibleDescription("= 15");
    fireEvent.keyDown(editor, { key: "Escape" });
    jest.useRealTimers();
  });

  it("tells of the first key too", async () => {
    await openTable();
    focus(1, "qty");
    jest.useFakeTimers();
    fireEvent.keyDown(cellAt(1, "qty"), { key: "x" });
    act(() => jest.advanceTimersByTime(300));

    expect(screen.getByRole("alert")).toHaveTextContent("A whole number.");
    jest.useRealTimers();
  });

  it("keeps what was typed, with the refusal's text, when it is refused", async () => {
    const { user } = await openTable();
    focus(1, "qty");

    await user.keyboard("5000{Enter}");

    await waitFor(() => expect(cellAt(1, "qty")).toHaveAttribute("aria-invalid", "true"));
    expect(cellAt(1, "qty")).toHaveTextContent("5000Too many.");
    expect(cellAt(2, "qty")).not.toHaveAttribute("aria-invalid");
    focus(1, "qty");
    await user.keyboard("{F2}");
    expect(screen.getByRole("textbox", { name: "Quantity" })).toHaveValue("5000");
  });

  it("says why it was refused by pointer and by focus, where the cell is scrolled to", async () => {
    const { user } = await openTable();
    focus(1, "qty");
    await user.keyboard("-{Enter}");
    const cell = cellAt(1, "qty");
    expect(screen.queryByRole("tooltip")).toBeNull();

    fireEvent.pointerEnter(cell);
    expect(screen.getByRole("tooltip")).toHaveTextContent("A whole number.");
    fireEvent.pointerLeave(cell);
    expect(screen.queryByRole("tooltip")).toBeNull();
    focus(1, "qty");
    const hint = screen.getByRole("tooltip");
    const port = cell.closest("[data-grid-port]") as HTMLElement;
    port.getBoundingClientRect = () => new DOMRect(0, 100, 800, 500);
    cell.getBoundingClientRect = () => new DOMRect(20, 300, 80, 50);
    fireEvent.scroll(port);
    expect(hint).toHaveStyle({ left: "20px", top: "354px" });
    cell.getBoundingClientRect = () => new DOMRect(20, -300, 80, 50);
    fireEvent.scroll(port);

    expect(screen.queryByRole("tooltip")).toBeNull();
  });

  it("says why it was refused to a pointer that rests on the cell since it was typed", async () => {
    const { user } = await openTable();
    focus(1, "qty");
    const matches = jest.spyOn(cellAt(1, "qty"), "matches");
    matches.mockImplementation((selector) => selector === ":hover");

    await user.keyboard("-{Enter}");

    expect(await screen.findByRole("tooltip")).toHaveTextContent("A whole number.");
  });

  it("keeps what was being typed when the page was taken away, and sends it", async () => {
    const { user, unmount } = await openTable();
    focus(1, "qty");
    await user.keyboard("77");

    unmount();

    await waitFor(() => expect(patches(1)).toHaveLength(1));
    expect(stored[0]?.qty).toBe(77);
  });

  it("sends nothing that cannot be right, nor what Escape left", async () => {
    const { user } = await openTable();
    focus(1, "qty");

    await user.keyboard("-{Enter}");
    expect(cellAt(1, "qty")).toHaveTextContent("-A whole number.");
    focus(2, "qty");
    await user.keyboard("5{Escape}");
    await waitFor(() => expect(cellAt(2, "qty")).toHaveFocus());

    expect([...patches(1), ...patches(2)]).toEqual([]);
    focus(1, "qty");
    await user.keyboard("{Escape}");
    expect(quantities()).toEqual([10, 11, 12, 13]);
  });
});

describe("undo and redo", () => {
  it("outlast sorting and fetching again, by keys and by buttons", async () => {
    const { user, queryClient } = await openTable();
    focus(1, "qty");
    await user.keyboard("7{Enter}");
    await waitFor(() => expect(patches(1)).toHaveLength(1));
    await user.click(screen.getByRole("columnheader", { name: "Name" }));
    await waitFor(() => expect(sent("GET /api/parts").length).toBeGreaterThan(1));
    await act(() => queryClient.invalidateQueries());

    await user.click(screen.getByRole("button", { name: "More for this list" }));
    await user.click(
      await screen.findByRole("menuitem", { name: /Undo: Quantity of Part 1: 10 → 7/ }),
    );
    await waitFor(() => expect(stored[0]?.qty).toBe(10));
    focus(1, "name");
    await user.keyboard("{Control>}y{/Control}");
    await waitFor(() => expect(stored[0]?.qty).toBe(7));
    await user.keyboard("{Control>}z{/Control}");

    await waitFor(() => expect(stored[0]?.qty).toBe(10));
    await user.click(screen.getByRole("button", { name: "More for this list" }));
    const undo = await screen.findByRole("menuitem", { name: /^Undo/ });
    expect(undo).toHaveAttribute("aria-disabled", "true");
  });

  it("are named in the history, where a click leads back", async () => {
    const { user } = await openTable();
    for (const text of ["7", "8"]) {
      focus(1, "qty");
      await user.keyboard(`${text}{Enter}`);
      await waitFor(() => expect(stored[0]?.qty).toBe(Number(text)));
    }

    await user.click(screen.getByRole("button", { name: "More for this list" }));
    await user.click(await screen.findByRole("menuitem", { name: "History and errors" }));
    const steps = await screen.findByRole("list", { name: "Steps, the newest first" });
    expect(within(steps).getAllByText("cell-edit")).toHaveLength(2);
    await user.click(within(steps).getByRole("button", { name: /Quantity of Part 1: 10 → 7/ }));

    await waitFor(() => expect(stored[0]?.qty).toBe(7));
    expect(within(steps).getByText("undone")).toBeInTheDocument();
  });
});

describe("ranges", () => {
  it("are marked by Shift with arrows and copied as a spreadsheet reads them", async () => {
    const { user } = await openTable();
    focus(1, "name");

    await user.keyboard("{Shift>}{ArrowRight}{ArrowDown}{/Shift}");

    const marked = document.querySelectorAll("[role=gridcell][aria-selected=true]");
    expect(marked).toHaveLength(4);
    expect(clip("copy")()).toBe("Part 1\t10\nPart 2\t11");
    await user.keyboard("{Escape}");
    expect(document.querySelectorAll("[role=gridcell][aria-selected=true]")).toHaveLength(0);
  });

  it("are marked by Shift and a click, and by dragging", async () => {
    await openTable();
    focus(1, "qty");
    fireEvent.mouseDown(cellAt(3, "note"), { shiftKey: true });
    expect(document.querySelectorAll("[role=gridcell][aria-selected=true]")).toHaveLength(6);

    fireEvent.mouseDown(cellAt(2, "qty"));
    document.elementFromPoint = () => cellAt(3, "qty");
    fireEvent.mouseMove(document);
    fireEvent.mouseUp(document);

    const marked = [...document.querySelectorAll("[role=gridcell][aria-selected=true]")];
    expect(marked.map((cell) => cell.textContent)).toEqual(["11", "12"]);
  });

  it("take one pasted value into every cell, in one request and one step", async () => {
    const { user } = await openTable();
    focus(1, "qty");
    await user.keyboard("{Shift>}{ArrowDown}{ArrowDown}{/Shift}");

    clip("paste", "7\n");

    await waitFor(() => expect(quantities()).toEqual([7, 7, 7, 13]));
    await waitFor(() => expect(stored.map(({ qty }) => qty)).toEqual([7, 7, 7, 13]));
    expect(sent(BULK)).toHaveLength(1);
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(() => expect(stored.map(({ qty }) => qty)).toEqual([10, 11, 12, 13]));
    expect(sent(BULK)).toHaveLength(2);
  });

  it("fill down, and take a typed value with Ctrl+Enter", async () => {
    const { user } = await openTable();
    focus(1, "qty");
    await user.keyboard("{Shift>}{ArrowDown}{/Shift}{Control>}d{/Control}");
    await waitFor(() => expect(stored.map(({ qty }) => qty)).toEqual([10, 10, 12, 13]));
    await user.keyboard("3{Control>}{Enter}{/Control}");

    await waitFor(() => expect(stored.map(({ qty }) => qty)).toEqual([3, 3, 12, 13]));
  });

  it("are cut where they could be copied, and stay where they could not", async () => {
    await openTable();
    focus(1, "qty");

    const closed = jest.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("No."));
    const event = createEvent.cut(document.activeElement as HTMLElement, { clipboardData: null });
    fireEvent(document.activeElement as HTMLElement, event);
    await waitFor(() => expect(closed).toHaveBeenCalled());
    await act(async () => undefined);
    expect(quantities()).toEqual([10, 11, 12, 13]);

    expect(clip("cut")()).toBe("10");
    await waitFor(() => expect(stored[0]?.qty).toBe(0));
  });

  it("are cleared by Delete", async () => {
    const { user } = await openTable();
    focus(1, "qty");
    await user.keyboard("{Delete}");

    await waitFor(() => expect(stored[0]?.qty).toBe(0));
  });
});

describe("a paste with bad cells", () => {
  it("changes nothing before the person chose, and then the good ones", async () => {
    const { user } = await openTable();
    focus(1, "qty");

    clip("paste", "7\nmany\n8\n-3");

    const dialog = await screen.findByRole("dialog", {
      name: "Paste: 2 cells of 4 cannot be changed",
    });
    expect(quantities()).toEqual([10, 11, 12, 13]);
    expect(within(dialog).getAllByText("A whole number.")).toHaveLength(2);
    await user.click(within(dialog).getByRole("button", { name: "Apply the 2 valid ones" }));

    await waitFor(() => expect(stored.map(({ qty }) => qty)).toEqual([7, 11, 8, 13]));
  });

  it("keeps 3 bad cells of 300 for a choice and drops none of the good ones", async () => {
    localStorage.setItem("bb_setting_table_parts", '{"pageSize":250}');
    const { user } = await openTable(150);
    focus(1, "qty");
    const bad = [4, 77, 149];
    const lines = stored.map((_, at) => (bad.includes(at) ? `many\tn${at}` : `${at}\tn${at}`));

    clip("paste", lines.join("\n"));

    const dialog = await screen.findByRole("dialog", {
      name: "Paste: 3 cells of 300 cannot be changed",
    });
    expect(sent(BULK)).toHaveLength(0);
    await user.click(within(dialog).getByRole("button", { name: "Apply the 297 valid ones" }));

    await waitFor(() => expect(stored[149]?.note).toBe("n149"));
    expect(stored.map(({ qty }) => qty)).toEqual(
      stored.map((_, at) => (bad.includes(at) ? 10 + at : at)),
    );
    expect(stored.map(({ note }) => note)).toEqual(stored.map((_, at) => `n${at}`));
  });

  it("can be mended in its place", async () => {
    const { user } = await openTable();
    focus(1, "qty");
    clip("paste", "7\nmany");
    const dialog = await screen.findByRole("dialog");

    const field = within(dialog).getByRole("textbox", { name: "Value for Part 2" });
    await user.clear(field);
    await user.type(field, "9");
    await user.click(within(dialog).getByRole("button", { name: "Apply all 2" }));

    await waitFor(() => expect(stored.map(({ qty }) => qty)).toEqual([7, 9, 12, 13]));
  });

  it("that only the server finds waits for the choice too", async () => {
    const { user } = await openTable();
    focus(1, "qty");
    clip("paste", "7\n5000\n8");

    const dialog = await screen.findByRole("dialog", {
      name: "Paste: 1 cell of 3 cannot be changed",
    });
    expect(within(dialog).getByText("Too many.")).toBeInTheDocument();
    expect(stored.map(({ qty }) => qty)).toEqual([10, 11, 12, 13]);
    await user.click(within(dialog).getByRole("button", { name: "Apply the 2 valid ones" }));

    await waitFor(() => expect(stored.map(({ qty }) => qty)).toEqual([7, 11, 8, 13]));
  });

  it("can be left whole", async () => {
    const { user } = await openTable();
    focus(1, "qty");
    clip("paste", "7\nmany");
    await user.click(await screen.findByRole("button", { name: "Cancel" }));

    expect(screen.queryByRole("dialog")).toBeNull();
    expect([...sent(BULK), ...patches(1)]).toEqual([]);
  });
});

describe("bulk edit", () => {
  it("shows what arithmetic makes of the chosen rows, and does it in one request", async () => {
    const { user } = await openTable();
    for (const box of screen.getAllByRole("checkbox", { name: "Select row" }).slice(0, 3)) {
      await user.click(box);
    }
    await user.keyboard("{Control>}b{/Control}");
    const dialog = await screen.findByRole("dialog", { name: "Bulk edit" });
    await user.type(await within(dialog).findByRole("textbox", { name: "New value" }), "=*2");

    const preview = await within(dialog).findByRole("table", { name: "What will change" });
    expect(within(preview).getAllByRole("row")[1]).toHaveTextContent("Part 11020");
    await user.click(within(dialog).getByRole("button", { name: "Change 3 rows" }));

    await waitFor(() => expect(stored.map(({ qty }) => qty)).toEqual([20, 22, 24, 13]));
    expect(sent(BULK)).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: "More for this list" }));
    await user.click(
      await screen.findByRole("menuitem", { name: /^Undo: Set: Quantity of 3 rows/ }),
    );
    await waitFor(() => expect(stored.map(({ qty }) => qty)).toEqual([10, 11, 12, 13]));
  });

  it("keeps refused rows with their reason in the log, and F6 finds them", async () => {
    const { user } = await openTable();
    write(3, { qty: 600 });
    const boxes = screen.getAllByRole("checkbox", { name: "Select row" });
    for (const box of boxes) await user.click(box);
    await user.keyboard("{Control>}b{/Control}");
    const dialog = await screen.findByRole("dialog", { name: "Bulk edit" });
    await user.type(await within(dialog).findByRole("textbox", { name: "New value" }), "=*80");
    await user.click(await within(dialog).findByRole("button", { name: "Change 4 rows" }));

    await waitFor(() => expect(cellAt(4, "qty")).toHaveAttribute("aria-invalid", "true"));
    focus(1, "name");
    await user.keyboard("{F6}");
    await waitFor(() => expect(document.activeElement).toHaveAttribute("aria-invalid", "true"));
    await user.click(screen.getByRole("button", { name: /cells? not saved/ }));
    await user.click(await screen.findByRole("tab", { name: "Sync log" }));

    expect(await screen.findByText("bulk-update")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Try again" })).toBeInTheDocument();
  });
});

describe("a cell that changed elsewhere", () => {
  it("asks for mine or theirs on Enter", async () => {
    const { user } = await openTable();
    write(1, { qty: 40 });
    focus(1, "qty");
    await user.keyboard("7{Enter}");

    await waitFor(() => expect(cellAt(1, "qty")).toHaveTextContent(/^40/));
    focus(1, "qty");
    await user.keyboard("{Enter}");
    const dialog = await screen.findByRole("dialog", { name: "Changed elsewhere" });
    expect(dialog).toHaveTextContent(/Mine7Theirs40/);
    await user.click(within(dialog).getByRole("button", { name: "Keep mine" }));

    await waitFor(() => expect(stored[0]?.qty).toBe(7));
  });
});

describe("a table that is only read", () => {
  it("has no editing about it", async () => {
    serve(2);
    renderPage(<PartsTable onEdit={undefined} onBulk={undefined} />);
    await screen.findByText("Part 1");

    expect(screen.getByRole("grid")).toHaveAttribute("aria-readonly", "true");
    focus(1, "qty");
    fireEvent.keyDown(cellAt(1, "qty"), { key: "F2" });
    expect(screen.queryByRole("textbox")).toBeNull();
  });
});
