/**
 * Edits that a reload interrupts are sent by the page that comes after it.
 * @apart New modules in the middle would leave two of each to the other files.
 */

import { getSetting, listSettings, setSetting } from "@/shared/lib/localSettings";
import { forgetPerson, holdFor } from "@/shared/lib/person";
import { reloaded } from "@/shared/outbox/testing/random";
import { newQueryClient } from "@/shared/query/newQueryClient";
import { TableEditor } from "./editor";
import { KEY, note, open, type Part } from "./testing/parts";

const LEFT = "person_unsent_edits_parts_before";
const kept = () => listSettings().filter((name) => name.startsWith("person_unsent_edits_"));
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

/** A page with a table: modules of its own, and the browser's settings. */
async function openPage(table = open()) {
  const { editorFor, keepEditor } = await import("./registry");
  const editor = editorFor<Part>("parts");
  editor.attach({ ...table.editor.desk, queryClient: newQueryClient() });
  const leave = keepEditor("parts", editor);
  await pass(0);
  return { ...table, editor, leave };
}

const row = { id: 1, name: "Part 1", qty: 10, note: "", updatedAt: "v000" };
/** What the page before had not sent: texts by row and column. */
const leaves = (...cells: [row: Part, column: "note" | "qty", after: string][]) =>
  setSetting(LEFT, {
    calls: [],
    beside: {
      rows: cells.map(([one]) => one),
      cells: cells.map(([one, column, after]) => {
        return { row: String(one.id), column, before: String(one[column]), after };
      }),
    },
  });

/** The table's page after a reload. */
async function reload(before: TableEditor<Part>): Promise<TableEditor<Part>> {
  const { desk } = before;
  reloaded(() => before.reset(), before.operations);
  const after = new TableEditor<Part>("parts");
  after.attach(desk);
  await after.operations.resume();
  await pass(1_000);
  return after;
}

beforeEach(() => {
  jest.useFakeTimers();
  jest.resetModules();
  localStorage.clear();
  sessionStorage.clear();
  holdFor(1);
});
afterEach(() => jest.useRealTimers());

it("keeps an edit in the browser until it is stored", async () => {
  const { editor } = await openPage();

  editor.commit("1", row, note, "dusty");
  expect(kept()).toHaveLength(1);
  await pass(1_000);

  expect(kept()).toEqual([]);
});

/** The page sends both edits that the one before had left, and can undo them. */
async function expectSentAndUndone() {
  const { server, editor } = await openPage();
  await pass(1_000);

  expect([server.rows.get(1)?.note, server.rows.get(2)?.qty]).toEqual(["dusty", 4]);
  expect(kept()).toEqual([]);
  void editor.undo();
  await pass(1_000);
  expect([server.rows.get(1)?.note, server.rows.get(2)?.qty]).toEqual(["", 10]);
}

it("sends the edits that a reload interrupted, and can undo them", async () => {
  leaves([row, "note", "dusty"], [{ ...row, id: 2 }, "qty", "4"]);

  await expectSentAndUndone();
});

it("takes an edit as stored that had arrived before the reload", async () => {
  const table = open();
  table.server.change(1, { note: "dusty" });
  table.server.change(2, { qty: 4 });
  leaves([row, "note", "dusty"], [{ ...row, id: 2 }, "qty", "4"]);

  const { server, editor } = await openPage(table);
  await pass(1_000);

  expect([server.rows.get(1)?.note, server.rows.get(2)?.qty]).toEqual(["dusty", 4]);
  expect(editor.cells.wrong()).toEqual([]);
});

it("asks about a cell that was changed elsewhere during the reload", async () => {
  const table = open();
  table.server.change(1, { note: "theirs" });
  leaves([row, "note", "mine"]);

  const { server, editor } = await openPage(table);
  await pass(1_000);

  expect(server.rows.get(1)?.note).toBe("theirs");
  expect(editor.cells.marksOf("1")?.note).toEqual({ state: "conflict", mine: "mine" });
});

it("deletes a row that was deleted without a connection before the reload", async () => {
  const { server, editor: before } = open();
  server.lost = ["request"];
  void before.rowActs.delete([row]);
  await pass(100);
  expect([...server.rows.keys()]).toEqual([1, 2, 3]);

  const after = await reload(before);

  expect([...server.rows.keys()]).toEqual([2, 3]);
  expect(new Set(server.bulks.map(({ key }) => key)).size).toBe(1);
  void after.undo();
  await pass(1_000);
  expect(server.rows.get(1)).toMatchObject({ name: "Part 1", qty: 10 });
});

it("makes a row once that was on its way at the reload", async () => {
  const { server, editor: before } = open(1);
  server.lost = ["answer"];
  void before.rowActs.create([{ name: "New", qty: 1, note: "" }]);
  await pass(100);

  const after = await reload(before);

  expect([...server.rows.values()].map(({ name }) => name)).toEqual(["Part 1", "New"]);
  expect(after.history.done.map(({ label }) => label)).toEqual(["Add New"]);
});

it("leaves the edits of a table that is not open where they are", async () => {
  setSetting("person_unsent_edits_others_before", {
    calls: [],
    beside: { rows: [row], cells: [] },
  });

  const { server } = await openPage();
  await pass(1_000);

  expect(server.saves).toEqual([]);
  expect(kept()).toHaveLength(1);
});

describe("edits that an older version left", () => {
  const OLDER = "person_unsent_edits_before";
  const second = { ...row, id: 2 };

  it("are sent, and can be undone", async () => {
    setSetting(OLDER, {
      parts: [
        { row, texts: [["note", "dusty"]] },
        { row: second, texts: [["qty", "4"]] },
      ],
    });

    await expectSentAndUndone();
  });

  it("wait for their own table", async () => {
    setSetting(OLDER, {
      parts: [{ row, texts: [["note", "dusty"]] }],
      others: [{ row: second, texts: [["qty", "4"]] }],
    });

    const { server } = await openPage();
    await pass(1_000);

    expect([server.rows.get(1)?.note, server.rows.get(2)?.qty]).toEqual(["dusty", 10]);
    expect(kept().map((name) => getSetting(name))).toEqual([
      { others: [{ row: second, texts: [["qty", "4"]] }] },
    ]);
  });
});

it("forgets the edits of a person who signs out", async () => {
  const { editor, server } = await openPage();
  editor.commit("1", row, note, "dusty");

  const { forgetPerson: forget } = await import("@/shared/lib/person");
  forget();
  forgetPerson();
  await pass(1_000);

  expect(kept()).toEqual([]);
  expect(server.saves).toEqual([]);
});

describe("the steps of a tab", () => {
  it("are undone by the page after a reload, whether they had been sent or not", async () => {
    const { server, editor: before, type, stored } = open();
    type(1, "7");
    await pass(1_000);
    type(1, "8");
    before.commit("2", stored(2), note, "dusty");

    const after = await reload(before);
    expect([server.rows.get(1)?.qty, server.rows.get(2)?.note]).toEqual([8, "dusty"]);
    expect(after.history.done.map(({ label }) => label)).toEqual([
      "Quantity of Part 1: 10 → 7",
      "Quantity of Part 1: 7 → 8",
      "Note of Part 2: empty → dusty",
    ]);
    await after.goTo(0);
    await pass(2_000);

    expect([server.rows.get(1)?.qty, server.rows.get(2)?.note]).toEqual([10, ""]);
    expect(after.cells.wrong()).toEqual([]);
  });

  it("know the rows that the page after does not list", async () => {
    const { server, editor: before, type, queryClient } = open();
    type(3, "7");
    await pass(1_000);
    queryClient.setQueryData([...KEY, {}], { data: [], pagination: null });

    const after = await reload(before);
    void after.undo();
    await pass(1_000);

    expect(server.rows.get(3)?.qty).toBe(10);
  });

  it("bring a deleted row back, and delete it again", async () => {
    const { server, editor: before, stored } = open();
    void before.rowActs.delete([stored(1)]);
    await pass(1_000);

    const after = await reload(before);
    void after.undo();
    await pass(1_000);
    expect(server.rows.get(1)).toMatchObject({ name: "Part 1" });
    const later = await reload(after);
    void later.redo();
    await pass(1_000);

    expect([...server.rows.keys()]).toEqual([2, 3]);
  });

  it("ask where the cell was changed elsewhere since", async () => {
    const { server, editor: before, type } = open();
    type(1, "7");
    await pass(1_000);
    server.change(1, { qty: 30 });

    const after = await reload(before);
    void after.undo();
    await pass(1_000);

    expect(server.rows.get(1)?.qty).toBe(30);
    expect(after.cells.marksOf("1")?.qty).toEqual({ state: "conflict", mine: "10" });
    expect(after.said).toBe("Part 1 was changed elsewhere.");
  });

  it("take back an undo that the server refuses after the reload", async () => {
    const { server, editor: before, type } = open();
    type(1, "7");
    await pass(1_000);
    server.lost = ["request"];
    void before.undo();
    await pass(100);
    server.refuse = () => "Sold.";

    const after = await reload(before);

    expect(server.rows.get(1)?.qty).toBe(7);
    expect(after.cells.marksOf("1")?.qty).toMatchObject({ state: "error", message: "Sold." });
    expect(after.history.done).toHaveLength(1);
  });

  it("are kept when the page is left", async () => {
    const table = open();
    const held = async () => (await import("@/shared/lib/person")).holdFor(1);
    await held();
    const { editor } = await openPage(table);
    editor.commit("1", row, note, "dusty");
    await pass(1_000);

    window.dispatchEvent(new Event("pagehide"));
    jest.resetModules();
    await held();
    const later = await openPage(table);
    void later.editor.undo();
    await pass(1_000);

    expect(table.server.saves.map(({ changes }) => changes)).toEqual([
      { note: "dusty" },
      { note: "" },
    ]);
  });
});
