/** Edits that a reload or a closed tab interrupts are sent, whatever page comes after it. */
import { forgetPerson } from "@/shared/lib/person";
import { outbox } from "@/shared/outbox/theOutbox";
import { pass } from "@/shared/testing/passing";
import { KEY, leave, note, open, reload } from "./testing/parts";

const row = { id: 1, name: "Part 1", qty: 10, note: "", updatedAt: "v000" };
const unsent = () => outbox.store.getState().requests.map(({ words }) => words);

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  outbox.close();
  jest.useRealTimers();
});

it("keeps an edit in the browser until it is stored", async () => {
  const { editor } = open();

  editor.commit("1", row, note, "dusty");
  await pass(0);
  expect(unsent()).toEqual(["Note of Part 1: empty → dusty"]);
  await pass(1_000);

  expect(unsent()).toEqual([]);
});

it("sends an edit from a page that has no table", async () => {
  const { editor, server } = open();
  server.lost = Array.from({ length: 9 }, () => "request");
  editor.commit("1", row, note, "dusty");
  await pass(1_000);

  leave(editor);
  server.lost = [];
  await pass(20_000);

  expect(server.rows.get(1)?.note).toBe("dusty");
});

it("shows and sends the edits that a reload interrupted, and can undo them", async () => {
  const { editor: before, server, type } = open();
  server.lost = Array.from({ length: 9 }, () => "request");
  type(1, "dusty", note);
  type(2, "4");
  await pass(1_000);

  before.reset(); // of a closed tab, whose steps went with it
  const after = await reload(before);
  expect(after.shown("1", row).note).toBe("dusty");
  server.lost = [];
  outbox.tryNow();
  await pass(1_000);

  expect([server.rows.get(1)?.note, server.rows.get(2)?.qty]).toEqual(["dusty", 4]);
  void after.undo();
  await pass(1_000);
  expect([server.rows.get(1)?.note, server.rows.get(2)?.qty]).toEqual(["", 10]);
});

it("takes an edit as stored whose answer was lost at the reload", async () => {
  const { editor: before, server, type } = open();
  server.lost = ["answer"];
  type(1, "dusty", note);
  await pass(400);

  const after = await reload(before);
  await pass(2_000);

  expect(server.rows.get(1)?.note).toBe("dusty");
  expect(after.cells.wrong()).toEqual([]);
  expect(new Set(server.saves.map(({ key }) => key)).size).toBe(1);
});

it("shows what was refused while no table was there, to be corrected or let go", async () => {
  const { editor: before, server, type } = open();
  server.lost = Array.from({ length: 9 }, () => "request");
  type(1, "11");
  await pass(1_000);
  leave(before);
  Object.assign(server, { lost: [], refuse: () => "Sold." });
  await pass(20_000);

  const after = await reload(before);

  expect(after.cells.marksOf("1")?.qty).toEqual({ state: "error", message: "Sold.", text: "11" });
  after.letGo("1", "qty");
  await pass(0);
  expect(unsent()).toEqual([]);
});

it("shows again what is stored where an edit is discarded from the list", async () => {
  const { editor, server, type, shown } = open();
  server.lost = Array.from({ length: 9 }, () => "request");
  type(1, "11");
  await pass(1_000);

  await outbox.discard(outbox.store.getState().requests);

  expect(shown(1)).toBe(10);
  expect(editor.cells.marksOf("1")?.qty).toBeUndefined();
});

it("refuses an edit at its cell that the browser has no room for", async () => {
  const { editor, type, mark, server } = open();
  const put = jest.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("Full", "QuotaExceededError");
  });

  type(1, "11");
  await pass(1_000);

  put.mockRestore();
  expect(mark(1)).toMatchObject({ state: "error", text: "11", message: /no room/ });
  expect(server.saves).toEqual([]);
  expect(editor.history.done).toEqual([]);
});

it("deletes a row that was deleted without a connection before the reload", async () => {
  const { server, editor: before } = open();
  server.lost = ["request"];
  void before.rowActs.delete([row]);
  await pass(100);
  expect([...server.rows.keys()]).toEqual([1, 2, 3]);

  const after = await reload(before);
  await pass(2_000);

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
  await pass(2_000);

  expect([...server.rows.values()].map(({ name }) => name)).toEqual(["Part 1", "New"]);
  expect(after.history.done.map(({ label }) => label)).toEqual(["Add New"]);
});

it("forgets what was typed when its person signs out", async () => {
  const { editor, type, shown } = open();
  type(1, "11");

  forgetPerson();
  editor.reset();
  await pass(0);

  expect([shown(1), unsent()]).toEqual([10, []]);
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
});
