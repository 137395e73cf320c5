import { personBack } from "@/shared/lib/person";
import { pass } from "@/shared/testing/passing";
import { TableEditor } from "./editor";
import { progressOf } from "./syncOperations";
import { KEY, note, open, type Part } from "./testing/parts";

const bulkEdit = { type: "bulk-edit", label: "Set Quantity" } as const;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe("committing a cell", () => {
  it("shows what was stored last, whatever an older list brings", async () => {
    const { type, shown, queryClient, editor } = open();
    const older = queryClient.getQueryData([...KEY, {}]);
    type(1, "11");
    await pass(500);

    queryClient.setQueryData([...KEY, {}], older);

    expect([shown(1), editor.operations.isBusy]).toEqual([11, false]);
  });

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
    const save = server.save;
    server.save = async (...call) => {
      const saved = await save(...call);
      await slow;
      return saved;
    };

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

describe("requests of one row", () => {
  it("never overlap: no conflict with oneself", async () => {
    const { server, type, mark, editor } = open();
    server.takes = () => 1000;

    type(1, "11");
    await pass(400);
    type(1, "dusty", note);
    await pass(1000);
    type(1, "clean", note);
    await pass(20_000);

    expect(server.rows.get(1)).toMatchObject({ qty: 11, note: "clean" });
    expect([mark(1), mark(1, "note")]).toEqual([undefined, undefined]);
    expect(editor.log.every(({ state }) => state === "done")).toBe(true);
  });

  it("and a request of many rows wait for each other", async () => {
    const { server, type, editor, set, stored } = open();
    server.takes = () => 1000;

    type(2, "12");
    await pass(400);
    const done = editor.change(set([1, 2], "7"), bulkEdit);
    type(1, "dusty", note);
    await pass(20_000);
    await done;

    expect([stored(1), stored(2)]).toMatchObject([{ qty: 7, note: "dusty" }, { qty: 7 }]);
    expect([server.rows.get(1), server.rows.get(2)]).toMatchObject([
      { qty: 7, note: "dusty" },
      { qty: 7 },
    ]);
    expect(editor.log.every(({ state }) => state === "done")).toBe(true);
  });

  it("and its deletion wait for each other", async () => {
    const { server, type, editor, stored } = open();
    server.takes = () => 1000;

    type(1, "11");
    const gone = editor.rowActs.delete([stored(1)]);
    await pass(20_000);

    expect(await gone).toEqual([]);
    expect(server.saves.map(({ changes }) => changes)).toEqual([{ qty: 11 }]);
    expect(editor.log.every(({ state }) => state === "done")).toBe(true);
  });
});

describe("undoing quickly", () => {
  it("takes one step after the other: a deleted row comes back without its edit", async () => {
    const { server, type, editor, stored } = open();
    type(1, "11");
    await pass(300);
    await editor.rowActs.delete([stored(1)]);
    server.takes = () => 1000;

    void editor.undo();
    void editor.undo();
    await pass(20_000);

    expect([...server.rows.values()].map(({ name, qty: pieces }) => [name, pieces])).toEqual([
      ["Part 2", 10],
      ["Part 3", 10],
      ["Part 1", 10],
    ]);
    expect(editor.history.done).toEqual([]);
    void editor.redo();
    void editor.redo();
    await pass(20_000);
    expect([...server.rows.values()].map(({ name }) => name)).toEqual(["Part 2", "Part 3"]);
  });

  it("brings a row back as it was, where the server keeps it", async () => {
    const { server, editor, stored, type } = open();
    type(1, "11");
    await pass(300);
    await editor.rowActs.delete([stored(1)]);

    void editor.undo();
    void editor.undo();
    await pass(500);

    expect(server.rows.get(1)).toMatchObject({ name: "Part 1", qty: 10 });
    expect(server.bulks.map(({ request }) => request.restore)).toEqual([undefined, ["1"]]);
    void editor.redo();
    void editor.redo();
    await pass(500);
    expect([...server.rows.keys()]).toEqual([2, 3]);
  });

  it("waits for a deletion that is on its way", async () => {
    const { server, type, editor, stored } = open();
    type(1, "11");
    await pass(300);
    server.takes = () => 1000;

    const gone = editor.rowActs.delete([stored(1)]);
    void editor.undo();
    await pass(20_000);
    await gone;

    expect(server.rows.get(1)).toMatchObject({ name: "Part 1", qty: 11 });
    expect(editor.history.done.map((entry) => entry.type)).toEqual(["cell-edit"]);
  });

  it("of an edit that is refused leaves nothing to undo or redo", async () => {
    const { server, type, editor, mark } = open();
    server.takes = () => 1000;
    server.refuse = ({ qty: pieces }) => (pieces === 11 ? "Not eleven." : null);

    type(1, "11");
    await pass(400);
    void editor.undo();
    await pass(20_000);

    expect([server.rows.get(1)?.qty, mark(1)]).toEqual([10, undefined]);
    expect(editor.history).toEqual({ done: [], undone: [] });
  });

  it("takes an edit for the same as what the server made of it", async () => {
    const { server, type, editor } = open();
    const change = server.change.bind(server);
    server.change = (id, changes) =>
      change(id, changes.note ? { note: changes.note.toUpperCase() } : changes);

    type(1, "dusty", note);
    await pass(500);
    await editor.undo();

    expect(server.rows.get(1)?.note).toBe("");
    expect(editor.cells.marksOf("1")?.note?.state).not.toBe("conflict");
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
      server.lost = Array.from({ length: 9 }, () => what);
      const applied = jest.spyOn(server, "change");

      type(1, "11");
      await pass(300);
      expect([mark(1), shown(1)]).toEqual([{ state: "waiting", text: "11", waitsFor: "line" }, 11]);
      expect(editor.log[0]?.state).toBe("waiting");
      await pass(10_000);
      expect(mark(1)?.state).toBe("waiting");
      server.lost = [];
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
    expect(steps).toHaveLength(4); // a chunk is stored completely or not at all
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
    expect(editor.history.done[0]?.changes.map(({ row }) => row)).toEqual(["1", "3"]);
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
    expect(editor.operations.isBusy).toBe(false);
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
    expect(server.rows.get(1)).toMatchObject({ name: "Part 1", qty: 11 });
    void editor.undo();
    await pass(300);

    expect(server.rows.get(1)?.qty).toBe(10);
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

  it("that a dialog has made are in the sync log as created", () => {
    const { editor, stored } = open();

    editor.rowActs.noteCreated([stored(1)]);

    expect(editor.log).toMatchObject([{ kind: "create", label: "Add Part 1", state: "done" }]);
    expect(editor.history.done[0]).toMatchObject({ type: "row-create" });
  });
});

describe("a form of a row", () => {
  it("is one step: undo and redo change all of its fields", async () => {
    const { server, editor, stored } = open();

    await editor.rowActs.saveForm(stored(1), { qty: 7, note: "from a form" });
    expect(stored(1)).toMatchObject({ qty: 7, note: "from a form" });
    expect(editor.history.done).toMatchObject([{ type: "cell-edit", label: "Change Part 1" }]);
    void editor.undo();
    await pass(500);
    expect(server.rows.get(1)).toMatchObject({ qty: 10, note: "" });
    void editor.redo();
    await pass(500);

    expect(server.rows.get(1)).toMatchObject({ qty: 7, note: "from a form" });
    expect(editor.log.map(({ state }) => state)).toEqual(["done", "done", "done"]);
  });

  it("follows what was typed into the row's cells before", async () => {
    const { server, editor, stored, type } = open();
    const opened = stored(1);
    type(1, "first", note);

    const saving = editor.rowActs.saveForm(opened, { qty: 7 });
    await pass(500);
    await saving;

    expect(server.rows.get(1)).toMatchObject({ qty: 7, note: "first" });
  });

  it("is refused where the row changed elsewhere, and shows it as it is now", async () => {
    const { server, editor, stored } = open();
    server.change(1, { qty: 4 });

    await expect(editor.rowActs.saveForm(stored(1), { qty: 7 })).rejects.toThrow(
      "Changed elsewhere.",
    );

    expect(stored(1).qty).toBe(4);
    expect(editor.history.done).toEqual([]);
    expect(editor.log).toMatchObject([{ kind: "update", state: "failed" }]);
  });
});

describe("rows that changed elsewhere before a change of many", () => {
  it.each([false, true])("show as they are now (all or none: %s)", async (atomic) => {
    const { server, editor, stored, set, mark } = open();
    server.change(1, { qty: 4 });

    await editor.change(set([1, 2], "5"), bulkEdit, { atomic });

    expect(stored(1).qty).toBe(4);
    expect(stored(2).qty).toBe(atomic ? 10 : 5);
    expect(mark(1)).toEqual(atomic ? undefined : { state: "conflict", mine: "5" });
  });
});
