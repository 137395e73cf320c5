import { holdFor } from "@/shared/lib/person";
import { outbox } from "@/shared/outbox/theOutbox";
import { newQueryClient } from "@/shared/query/newQueryClient";
import { pass } from "@/shared/testing/passing";
import { editorFor, keepEditor, keptEditors } from "./registry";
import { saveForm } from "./saveForm";
import { note, open, type Part } from "./testing/parts";

const grid = (key: string) => {
  const editor = editorFor<Part>(key);
  const { editor: other } = open();
  editor.attach({ ...other.desk, queryClient: newQueryClient() });
  return { editor, other, leave: keepEditor(key, editor) };
};
const rowOf = (): Part => ({ id: 1, name: "Part 1", qty: 10, note: "", updatedAt: "v000" });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it("drops an editor with its last grid", () => {
  const before = keptEditors();
  for (let id = 1; id <= 20; id += 1) {
    const { leave } = grid(`batchItems:${id}`);
    const again = keepEditor(`batchItems:${id}`, editorFor<Part>(`batchItems:${id}`));
    leave();
    expect(keptEditors()).toBe(before + 1);
    again();
  }

  expect(keptEditors()).toBe(before);
});

it("forgets the steps of an editor that is dropped", async () => {
  holdFor(1);
  const { editor, leave } = grid("parts");
  editor.commit("1", rowOf(), note, "dusty");
  await pass(1000);
  window.dispatchEvent(new Event("pagehide"));
  const kept = sessionStorage.length;

  leave();

  expect([kept, sessionStorage.length]).toEqual([1, 0]);
});

it("keeps the editor of a grid that is taken away and comes back at once", () => {
  const { editor, leave } = grid("parts");
  leave();
  const again = keepEditor("parts", editor);

  expect(editorFor("parts")).toBe(editor);
  again();
});

it("drops an editor whose edits the outbox has, and sends them all the same", async () => {
  const { editor, other, leave } = grid("parts");
  editor.commit("1", rowOf(), note, "dusty");
  await pass(0);

  leave();
  expect(editorFor("parts")).not.toBe(editor);
  await pass(1000);

  expect(other.desk.queryClient).toBeDefined();
  expect(outbox.store.getState().requests).toEqual([]);
  keepEditor("parts", editorFor("parts"))();
});

it("keeps an editor with a refused edit for when its grid is back", async () => {
  const { editor, leave } = grid("parts");
  editor.commit("1", rowOf(), editor.desk.columns[0] as typeof note, "many");
  leave();
  await pass(1000);

  expect(editorFor("parts")).toBe(editor);
  editor.letGo("1", "qty");
  expect(editorFor("parts")).not.toBe(editor);
  keepEditor("parts", editorFor("parts"))();
});

describe("the editor of a table that is not on the page", () => {
  /** Saves a form of a row of that table. */
  const edit = (table: string, changes: Partial<Part>, save = async () => undefined as unknown) =>
    saveForm<Part>({
      table,
      row: rowOf(),
      changes,
      name: "Part 1",
      save: async (row, some) => {
        await save();
        return { ...row, ...some };
      },
    });

  it("is not made for a form that changed nothing", async () => {
    const before = keptEditors();
    for (let id = 1; id <= 20; id += 1) await edit(`batchItems:${id}`, { qty: 10 });

    expect(keptEditors()).toBe(before);
  });

  it("leaves once its acts are undone", async () => {
    const before = keptEditors();
    await edit("a", { qty: 11 });
    await edit("a", { qty: 12 });
    const editor = editorFor<Part>("a");

    await editor.undo();
    expect(editorFor("a")).toBe(editor);
    await editor.undo();

    expect(keptEditors()).toBe(before);
  });

  it("stays until its undo is answered", async () => {
    const before = keptEditors();
    let answer = () => undefined as unknown;
    const save = jest.fn(async () => undefined as unknown);
    await edit("a", { qty: 11 }, save);
    save.mockReturnValueOnce(new Promise((done) => (answer = () => done(undefined))));

    const undone = editorFor("a").undo();
    await pass(0);
    expect([save.mock.calls.length, keptEditors()]).toEqual([2, before + 1]);
    answer();
    await undone;

    expect(keptEditors()).toBe(before);
  });

  it("waits for its table with the steps, of the last ten tables", async () => {
    const before = keptEditors();
    const save = jest.fn(async () => undefined as unknown);
    for (let id = 1; id <= 30; id += 1) await edit(`batchItems:${id}`, { qty: 11 }, save);

    expect(keptEditors()).toBe(before + 10);
    expect(await editorFor("batchItems:21").undo()).toBe(true);
    expect(save).toHaveBeenCalledTimes(31);
    for (let id = 22; id <= 30; id += 1) await editorFor(`batchItems:${id}`).undo();
    expect(keptEditors()).toBe(before);
  });
});
