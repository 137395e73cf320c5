import { QueryClient } from "@tanstack/react-query";
import { ApiError, connectionError, RetriesExhaustedError } from "@/shared/api/errors";
import { personBack } from "@/shared/lib/person";
import type { Column, RowId } from "../column";
import type { Desk } from "./desk";
import { TableEditor } from "./editor";
import type { BulkOutcome, BulkRequest, Call, CellChange } from "./model";
import { progressOf } from "./operations";

type Part = { id: number; name: string; qty: number; note: string; updatedAt: string };

const qty: Column<Part> = {
  id: "qty",
  header: "Quantity",
  cell: (row) => row.qty,
  edit: {
    kind: "number",
    places: 0,
    value: (row) => String(row.qty),
    check: (text) => (/^\d+$/.test(text) ? null : "A whole number."),
    parse: (text) => ({ qty: Number(text) }),
  },
};
const note: Column<Part> = {
  id: "note",
  header: "Note",
  cell: (row) => row.note,
  edit: { kind: "text", value: (row) => row.note, parse: (text) => ({ note: text }) },
};

/** A server of parts: keeps rows with versions, refuses what it is told to, applies each key once. */
class Server {
  rows = new Map<number, Part>();
  saves: { row: Part; changes: Partial<Part>; key: string }[] = [];
  bulks: { request: BulkRequest<Part>; key: string }[] = [];
  refuse = (_row: Part): string | null => null;
  /** Calls that are lost: before they arrive, or their answer. */
  lost: ("request" | "answer" | "session")[] = [];
  private readonly answers = new Map<string, unknown>();
  private version = 0;
  private lastId = 100;

  constructor(count: number) {
    for (let id = 1; id <= count; id += 1) {
      this.rows.set(id, { id, name: `Part ${id}`, qty: 10, note: "", updatedAt: "v000" });
    }
  }

  change(id: number, changes: Partial<Part>): Part {
    this.version += 1;
    const updatedAt = `v${String(this.version).padStart(3, "0")}`;
    const row = { ...(this.rows.get(id) as Part), ...changes, updatedAt };
    this.rows.set(id, row);
    return row;
  }

  save = async (row: Part, changes: Partial<Part>, { key }: Call): Promise<Part> => {
    this.saves.push({ row, changes, key });
    return this.once(key, () => {
      const now = this.rows.get(row.id) as Part;
      if (now.updatedAt !== row.updatedAt) {
        throw new ApiError("CONFLICT", "Changed elsewhere.", { status: 409, data: [now] });
      }
      const refusal = this.refuse({ ...now, ...changes });
      if (refusal) {
        throw new ApiError("VALIDATION_ERROR", "Not valid.", { fields: { qty: [refusal] } });
      }
      return this.change(row.id, changes);
    });
  };

  saveRows = async (request: BulkRequest<Part>, { key }: Call): Promise<BulkOutcome<Part>[]> => {
    this.bulks.push({ request, key });
    return this.once(key, () => this.bulk(request));
  };

  private bulk({ create = [], update = [], delete: gone = [], atomic }: BulkRequest<Part>) {
    const before = new Map(this.rows);
    const outcome = (action: "create" | "update" | "delete", index: number, row: Part | null) => ({
      action,
      index,
      ok: true,
      id: row?.id ?? null,
      code: null,
      message: null,
      row,
    });
    const refused = (index: number, code: string, message: string): BulkOutcome<Part> => ({
      ...outcome("update", index, null),
      ok: false,
      code,
      message,
    });
    const outcomes: BulkOutcome<Part>[] = update.map(({ row, changes }, index) => {
      const now = this.rows.get(row.id) as Part;
      if (now.updatedAt !== row.updatedAt) return refused(index, "CONFLICT", "Changed elsewhere.");
      const why = this.refuse({ ...now, ...changes });
      return why
        ? refused(index, "VALIDATION_ERROR", why)
        : outcome("update", index, this.change(row.id, changes));
    });
    for (const [index, draft] of create.entries()) {
      this.lastId += 1;
      this.rows.set(this.lastId, { ...(draft as Part), id: this.lastId });
      outcomes.push(outcome("create", index, this.change(this.lastId, {})));
    }
    for (const [index, row] of gone.entries()) {
      this.rows.delete(row.id);
      outcomes.push(outcome("delete", index, null));
    }
    if (atomic && outcomes.some(({ ok }) => !ok)) {
      this.rows = before;
      return outcomes.filter(({ ok }) => !ok);
    }
    return outcomes;
  }

  private once<Answer>(key: string, act: () => Answer): Answer {
    const fault = this.lost.shift();
    const down = () => new RetriesExhaustedError(3, "parts", 4, connectionError(null));
    if (fault === "request") throw down();
    if (fault === "session") throw new ApiError("NOT_AUTHENTICATED", "No.", { status: 401 });
    if (!this.answers.has(key)) this.answers.set(key, act());
    if (fault === "answer") throw down();
    return this.answers.get(key) as Answer;
  }
}

const KEY = ["parts", "list"];

function open(count = 3, desk: Partial<Desk<Part>> = {}) {
  const server = new Server(count);
  const queryClient = new QueryClient();
  const refetched = jest.fn(() => undefined);
  jest.spyOn(queryClient, "invalidateQueries").mockImplementation(async () => refetched());
  queryClient.setQueryData([...KEY, {}], { data: [...server.rows.values()], pagination: null });
  const editor = new TableEditor<Part>("parts");
  editor.attach({
    queryClient,
    source: { key: KEY, fetch: async () => ({ data: [], pagination: null }) },
    columns: [qty, note],
    idOf: (row) => String(row.id),
    save: server.save,
    saveRows: server.saveRows,
    selection: {
      ids: [],
      rows: [],
      allMatching: false,
      count: 0,
      params: { page: 1, page_size: 25 },
    },
    draftOf: ({ name, qty: pieces, note: text }) => ({ name, qty: pieces, note: text }),
    ...desk,
  });
  const stored = (id: number) =>
    queryClient
      .getQueryData<{ data: Part[] }>([...KEY, {}])
      ?.data.find((row) => row.id === id) as Part;
  const shown = (id: number) => editor.shown(String(id), stored(id)).qty;
  const type = (id: number, text: string, column = qty) =>
    editor.commit(String(id), stored(id), column, text);
  const mark = (id: number, column = "qty") => editor.cells.marksOf(String(id))?.[column];
  const set = (ids: number[], text: string): CellChange[] =>
    ids.map((id) => ({
      row: String(id) as RowId,
      column: "qty",
      before: String(stored(id).qty),
      after: text,
    }));
  return { server, editor, queryClient, stored, shown, type, mark, set };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const bulkEdit = { type: "bulk-edit", label: "Set Quantity" } as const;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe("committing a cell", () => {
  it("shows it at once as pending and saves 300 ms after the last change", async () => {
    const { server, type, shown, mark, stored } = open();

    type(1, "11");
    await pass(200);
    type(1, "12");
    await pass(299);
    expect([shown(1), mark(1)?.state, server.saves.length]).toEqual([12, "pending", 0]);
    await pass(1);

    expect(server.saves.map(({ changes }) => changes)).toEqual([{ qty: 12 }]);
    expect([stored(1).qty, mark(1)?.state]).toEqual([12, "saved"]);
    await pass(150);
    expect(mark(1)).toBeUndefined();
  });

  it("takes the cells of a row that change together into one request", async () => {
    const { server, type } = open();

    type(1, "11");
    type(1, "dusty", note);
    await pass(300);

    expect(server.saves.map(({ changes }) => changes)).toEqual([{ qty: 11, note: "dusty" }]);
  });

  it("sends a change that comes while a save is on its way with the version that it left", async () => {
    const { server, editor, type, stored } = open();
    let reply: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => {
      reply = resolve;
    });
    const save: typeof server.save = async (...call) => {
      const saved = await server.save(...call);
      await slow;
      return saved;
    };
    editor.attach({ ...editor.desk, save });

    type(1, "11");
    await pass(300);
    type(1, "12");
    await pass(400);
    expect(server.saves).toHaveLength(1);
    reply();
    await pass(700);

    expect(server.saves.map(({ changes }) => changes)).toEqual([{ qty: 11 }, { qty: 12 }]);
    expect(stored(1).qty).toBe(12);
    expect(editor.log.map(({ state }) => state)).toEqual(["done", "done"]);
  });

  it("keeps what cannot be right beside the cell, unsent and out of the history", async () => {
    const { server, type, mark, editor, shown } = open();

    type(2, "-1");
    await pass(1000);

    expect(mark(2)).toEqual({ state: "error", message: "A whole number.", text: "-1" });
    expect(mark(1)).toBeUndefined();
    expect([server.saves.length, editor.history.done.length, shown(2)]).toEqual([0, 0, 10]);
  });

  it("goes back to what is stored with the server's reason", async () => {
    const { server, type, mark, editor, shown } = open();
    server.refuse = ({ qty: pieces }) => (pieces > 50 ? "Too many." : null);

    type(1, "99");
    await pass(300);

    expect(shown(1)).toBe(10);
    expect(mark(1)).toEqual({ state: "error", message: "Too many.", text: "99" });
    expect(editor.history.done).toEqual([]);
    expect(editor.log[0]).toMatchObject({
      kind: "update",
      state: "failed",
      failed: [{ row: "1", name: "Part 1", reason: "Not valid." }],
    });
  });

  it("works formulas out", async () => {
    const { type, stored } = open();

    type(1, "=*1.5");
    await pass(300);

    expect(stored(1).qty).toBe(15);
  });
});

describe("undo and redo", () => {
  it("store the value before and the value after", async () => {
    const { server, type, editor } = open();
    type(1, "11");
    await pass(300);

    void editor.undo();
    await pass(300);
    expect(server.rows.get(1)?.qty).toBe(10);
    void editor.redo();
    await pass(300);

    expect(server.rows.get(1)?.qty).toBe(11);
    expect(server.saves).toHaveLength(3);
  });

  it("hold 50 steps: of 51 edits the first one remains", async () => {
    const { server, editor, type } = open(51);
    for (let id = 1; id <= 51; id += 1) type(id, "11");
    await pass(300);

    for (let step = 0; step < 60; step += 1) void editor.undo();
    await pass(300);

    const changed = [...server.rows.values()].filter((row) => row.qty === 11);
    expect(changed.map(({ id }) => id)).toEqual([1]);
  });

  it("outlast that their rows are not loaded any more", async () => {
    const { server, editor, type, queryClient } = open();
    type(1, "11");
    await pass(300);
    queryClient.setQueryData([...KEY, {}], { data: [], pagination: null });

    void editor.undo();
    await pass(300);

    expect(server.rows.get(1)?.qty).toBe(10);
  });

  it("check again: what is refused by now stays to be undone", async () => {
    const { server, type, editor, mark } = open();
    type(1, "11");
    await pass(300);
    server.refuse = () => "Closed.";

    void editor.undo();
    await pass(300);

    expect(server.rows.get(1)?.qty).toBe(11);
    expect(mark(1)).toMatchObject({ state: "error", message: "Closed." });
    expect(editor.history.done).toHaveLength(1);
    expect(editor.history.undone).toEqual([]);
  });

  it("never overwrite what somebody else has changed since", async () => {
    const { server, type, editor, mark, queryClient } = open();
    type(1, "11");
    await pass(300);
    const theirs = server.change(1, { qty: 40 });
    queryClient.setQueryData([...KEY, {}], { data: [theirs], pagination: null });

    void editor.undo();
    await pass(300);

    expect(server.rows.get(1)?.qty).toBe(40);
    expect(mark(1)).toEqual({ state: "conflict", mine: "10" });
    expect(editor.history.done).toHaveLength(1);
  });

  it("within the 300 ms send nothing", async () => {
    const { server, type, editor, mark } = open();
    type(1, "11");
    void editor.undo();
    await pass(1000);

    expect(server.saves).toEqual([]);
    expect(mark(1)).toBeUndefined();
  });

  it("lead to any point of the history", async () => {
    const { server, type, editor } = open();
    for (const text of ["11", "12", "13"]) {
      type(1, text);
      await pass(300);
    }
    const second = editor.history.done[1]?.id ?? 0;

    void editor.goTo(second);
    await pass(300);
    expect(server.rows.get(1)?.qty).toBe(12);
    const last = editor.history.undone[0]?.id ?? 0;
    void editor.goTo(last);
    await pass(300);

    expect(server.rows.get(1)?.qty).toBe(13);
  });
});

describe("a row that changed elsewhere", () => {
  it("in other fields takes the change on its newest state", async () => {
    const { server, type, stored } = open();
    server.change(1, { note: "theirs" });

    type(1, "11");
    await pass(300);

    expect(server.rows.get(1)).toMatchObject({ qty: 11, note: "theirs" });
    expect(stored(1).note).toBe("theirs");
  });

  it("in the same cell is a conflict: mine is kept on demand", async () => {
    const { server, type, mark, shown, editor } = open();
    server.change(1, { qty: 40 });

    type(1, "11");
    await pass(300);
    expect([mark(1), shown(1)]).toEqual([{ state: "conflict", mine: "11" }, 40]);
    editor.keepMine("1", "qty");
    await pass(300);

    expect(server.rows.get(1)?.qty).toBe(11);
    expect(mark(1)?.state).toBe("saved");
  });

  it("in the same cell is a conflict: theirs is taken on demand", async () => {
    const { server, type, mark, editor } = open();
    server.change(1, { qty: 40 });
    type(1, "11");
    await pass(300);

    editor.letGo("1", "qty");
    await pass(300);

    expect([server.rows.get(1)?.qty, mark(1)]).toEqual([40, undefined]);
    expect(editor.history.done).toEqual([]);
  });
});

describe("a line that breaks", () => {
  it.each(["request", "answer"] as const)(
    "lets the edit wait and applies it once (the %s was lost)",
    async (what) => {
      const { server, type, mark, editor, shown } = open();
      server.lost = [what, what];
      const applied = jest.spyOn(server, "change");

      type(1, "11");
      await pass(300);
      expect([mark(1), shown(1)]).toEqual([{ state: "waiting", text: "11", waitsFor: "line" }, 11]);
      expect(editor.log[0]?.state).toBe("waiting");
      await pass(10_000);
      expect(mark(1)?.state).toBe("waiting");
      window.dispatchEvent(new Event("online"));
      await pass(0);

      expect(server.rows.get(1)?.qty).toBe(11);
      expect(applied).toHaveBeenCalledTimes(1);
      expect(new Set(server.saves.map(({ key }) => key)).size).toBe(1);
      expect(mark(1)?.state).toBe("saved");
    },
  );

  it("and a session that ends keep the edit until the same person is back", async () => {
    const { server, type, mark, shown } = open();
    server.lost = ["session"];

    type(1, "11");
    await pass(60_000);
    expect([mark(1), shown(1)]).toEqual([{ state: "waiting", text: "11", waitsFor: "signIn" }, 11]);
    expect(server.rows.get(1)?.qty).toBe(10);
    personBack();
    await pass(0);

    expect(server.rows.get(1)?.qty).toBe(11);
    expect(new Set(server.saves.map(({ key }) => key)).size).toBe(1);
    expect(mark(1)?.state).toBe("saved");
  });

  it("lets a bulk edit wait too, with its key", async () => {
    const { server, editor, set } = open();
    server.lost = ["answer"];
    const done = editor.change(set([1, 2], "7"), bulkEdit);
    await pass(10_000);
    await done;

    expect([...server.rows.values()].map((row) => row.qty)).toEqual([7, 7, 10]);
    expect(server.bulks.map(({ key }) => key)).toEqual([
      server.bulks[0]?.key,
      server.bulks[0]?.key,
    ]);
  });
});

describe("changing many rows", () => {
  it("is one request of a thousand rows, and so is its undo", async () => {
    const { server, editor, set } = open(1000);
    const ids = [...server.rows.keys()];

    await editor.change(set(ids, "7"), bulkEdit);
    expect(server.bulks.map(({ request }) => request.update?.length)).toEqual([1000]);
    await editor.undo();

    expect(server.bulks).toHaveLength(2);
    expect([...server.rows.values()].every((row) => row.qty === 10)).toBe(true);
    expect(editor.history.undone.map(({ type }) => type)).toEqual(["bulk-edit"]);
  });

  it("tells its progress from 0 to 100", async () => {
    const { editor, set, server } = open(2500);
    const seen = new Set<number>();
    editor.subscribe(() => {
      const last = editor.log.at(-1);
      if (last) seen.add(progressOf(last));
    });

    await editor.change(set([...server.rows.keys()], "7"), bulkEdit);

    const steps = [...seen];
    expect([steps[0], steps.at(-1)]).toEqual([0, 100]);
    expect(steps).toHaveLength(4); // a chunk is stored or it is not
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(server.bulks).toHaveLength(3);
  });

  it("keeps the rows that were refused with their reason, and tries them again", async () => {
    const { server, editor, set, mark } = open();
    server.refuse = ({ id }) => (id === 2 ? "Not this one." : null);
    await editor.change(set([1, 2, 3], "7"), bulkEdit);

    expect([...server.rows.values()].map((row) => row.qty)).toEqual([7, 10, 7]);
    expect(mark(2)).toEqual({ state: "error", message: "Not this one.", text: "7" });
    expect(editor.log[0]).toMatchObject({
      kind: "bulk-update",
      state: "failed",
      failed: [{ row: "2", name: "Part 2", reason: "Not this one." }],
    });
    expect(editor.history.done[0]?.cells.map(({ row }) => row)).toEqual(["1", "3"]);
    server.refuse = () => null;
    editor.retry(editor.log[0]?.id ?? 0);
    await pass(300);

    expect(server.rows.get(2)?.qty).toBe(7);
  });

  it("keeps what was refused through a reload, until it is tried again", async () => {
    const { server, editor, set, queryClient } = open();
    server.refuse = ({ qty: pieces }) => (pieces > 100 ? "Too many." : null);
    await editor.change(set([1, 2], "500"), bulkEdit);
    await pass(1000);

    const again = new TableEditor<Part>("parts");
    expect(again.log).toMatchObject([{ state: "failed", kind: "bulk-update" }]);
    expect(again.log[0]?.failed.map(({ name, reason }) => [name, reason])).toEqual([
      ["Part 1", "Too many."],
      ["Part 2", "Too many."],
    ]);

    again.attach({ ...editor.desk, queryClient });
    server.refuse = () => null;
    again.retry(again.log[0]?.id ?? 0);
    await pass(1000);

    expect(server.rows.get(1)?.qty).toBe(500);
    expect(new TableEditor<Part>("parts").log).toEqual([]);
  });

  it("all or none leaves everything and the history as they were", async () => {
    const { server, editor, set, mark, shown } = open();
    server.refuse = ({ id }) => (id === 2 ? "Not this one." : null);

    const refused = await editor.change(set([1, 2, 3], "7"), bulkEdit, { atomic: true });

    expect(refused).toEqual([{ row: "2", column: "qty", text: "7", reason: "Not this one." }]);
    expect([...server.rows.values()].map((row) => row.qty)).toEqual([10, 10, 10]);
    expect([mark(1), mark(2), shown(1)]).toEqual([undefined, undefined, 10]);
    expect(editor.history.done).toEqual([]);
  });

  it("can be undone while it is on its way", async () => {
    const { server, editor, set, shown } = open();

    const done = editor.change(set([1, 2, 3], "7"), bulkEdit);
    const back = editor.undo();
    expect(shown(1)).toBe(10);
    await Promise.all([done, back]);
    await pass(200);

    expect([...server.rows.values()].map((row) => row.qty)).toEqual([10, 10, 10]);
    expect(editor.cells.unsaved).toBe(false);
  });

  it("waits for a cell of the same rows that is on its way", async () => {
    const { server, editor, type, set } = open();
    type(1, "dusty", note);

    await editor.change(set([1, 2], "7"), bulkEdit);
    await pass(300);

    expect(server.rows.get(1)).toMatchObject({ qty: 7, note: "dusty" });
    expect(editor.log.every(({ state }) => state === "done")).toBe(true);
  });

  it("goes row by row where a page has no bulk request", async () => {
    const { server, editor, set } = open(6, { saveRows: undefined });

    await editor.change(set([1, 2, 3, 4, 5, 6], "7"), bulkEdit);

    expect(server.saves).toHaveLength(6);
    expect([...server.rows.values()].every((row) => row.qty === 7)).toBe(true);
  });
});

describe("rows", () => {
  it("that were deleted come back with their edits after them", async () => {
    const { server, editor, type, stored } = open();
    type(1, "11");
    await pass(300);

    await editor.rowActs.delete([stored(1)]);
    expect([...server.rows.keys()]).toEqual([2, 3]);
    expect(editor.history.done.map((entry) => entry.type)).toEqual(["cell-edit", "row-delete"]);
    await editor.undo();
    expect(server.rows.get(101)).toMatchObject({ name: "Part 1", qty: 11 });
    void editor.undo();
    await pass(300);

    expect(server.rows.get(101)?.qty).toBe(10);
  });

  it("that were made are deleted by undo and made again by redo", async () => {
    const { server, editor } = open(1);

    await editor.rowActs.create([{ name: "New", qty: 1, note: "" }]);
    expect(editor.history.done[0]).toMatchObject({ type: "row-create", label: "Add New" });
    await editor.undo();
    expect([...server.rows.keys()]).toEqual([1]);
    await editor.redo();

    expect([...server.rows.values()].map(({ name }) => name)).toEqual(["Part 1", "New"]);
    expect(editor.log.map(({ kind }) => kind)).toEqual(["create", "delete", "create"]);
  });
});
