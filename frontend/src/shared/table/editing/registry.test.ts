import { holdFor } from "@/shared/lib/person";
import { newQueryClient } from "@/shared/query/newQueryClient";
import { editorFor, keepEditor, keptEditors } from "./registry";
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
  await jest.advanceTimersByTimeAsync(1000);
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

it("keeps an editor until its edits are stored", async () => {
  const { editor, leave } = grid("parts");
  editor.commit("1", rowOf(), note, "dusty");

  leave();
  expect(editorFor("parts")).toBe(editor);
  await jest.advanceTimersByTimeAsync(1000);

  expect(editorFor("parts")).not.toBe(editor);
  keepEditor("parts", editorFor("parts"))();
});

it("keeps an editor with a refused edit for when its grid is back", async () => {
  const { editor, leave } = grid("parts");
  editor.commit("1", rowOf(), editor.desk.columns[0] as typeof note, "many");
  leave();
  await jest.advanceTimersByTimeAsync(1000);

  expect(editorFor("parts")).toBe(editor);
  editor.letGo("1", "qty");
  expect(editorFor("parts")).not.toBe(editor);
  keepEditor("parts", editorFor("parts"))();
});
