/** Edits that a reload interrupts are sent by the page that comes after it. */
import { createQueryClient } from "@/shared/api/queryClient";
import { getSetting, listSettings, setSetting } from "@/shared/lib/localSettings";
import { forgetPerson } from "@/shared/lib/person";
import { reloaded } from "@/shared/outbox/testing/random";
import { tellFailure } from "@/shared/ui/tellFailure";
import { TableEditor } from "./editor";
import { note, open, type Part } from "./testing/parts";

const LEFT = "person_unsent_edits_parts_before";
const kept = () => listSettings().filter((name) => name.startsWith("person_unsent_edits_"));
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

/** A page with a table: modules of its own, and the browser's settings. */
async function openPage(table = open()) {
  const { editorFor, keepEditor } = await import("./registry");
  const editor = editorFor<Part>("parts");
  editor.attach({ ...table.editor.desk, queryClient: createQueryClient(tellFailure) });
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

beforeEach(() => {
  jest.useFakeTimers();
  jest.resetModules();
  localStorage.clear();
});
afterEach(() => jest.useRealTimers());

it("keeps an edit in the browser until it is stored", async () => {
  const { editor } = await openPage();

  editor.commit("1", row, note, "dusty");
  expect(kept()).toHaveLength(1);
  await pass(1_000);

  expect(kept()).toEqual([]);
});

it("sends the edits that a reload interrupted, and can undo them", async () => {
  leaves([row, "note", "dusty"], [{ ...row, id: 2 }, "qty", "4"]);

  const { server, editor } = await openPage();
  await pass(1_000);

  expect([server.rows.get(1)?.note, server.rows.get(2)?.qty]).toEqual(["dusty", 4]);
  expect(kept()).toEqual([]);
  void editor.undo();
  await pass(1_000);
  expect([server.rows.get(1)?.note, server.rows.get(2)?.qty]).toEqual(["", 10]);
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
  const { server, queryClient, editor: before } = open();
  server.lost = ["request"];
  void before.rowActs.delete([row]);
  await pass(100);
  expect([...server.rows.keys()]).toEqual([1, 2, 3]);
  const { desk } = before;
  reloaded(() => before.reset());

  const after = new TableEditor<Part>("parts");
  after.attach({ ...desk, queryClient });
  await after.operations.resume();
  await pass(1_000);

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
  const { desk } = before;
  reloaded(() => before.reset());

  const after = new TableEditor<Part>("parts");
  after.attach(desk);
  await after.operations.resume();
  await pass(1_000);

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

    const { server, editor } = await openPage();
    await pass(1_000);

    expect([server.rows.get(1)?.note, server.rows.get(2)?.qty]).toEqual(["dusty", 4]);
    expect(kept()).toEqual([]);
    void editor.undo();
    await pass(1_000);
    expect([server.rows.get(1)?.note, server.rows.get(2)?.qty]).toEqual(["", 10]);
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
