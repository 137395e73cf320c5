import { KeptRequests } from "@/shared/outbox/keptRequests";
import type { Unsent } from "@/shared/outbox/unsent";
import { toast } from "@/shared/ui/toast";
import { discardLeft, saveLeft, tellLeft } from "./left";
import { opened } from "./opened";

const kept = new KeptRequests();
const unsent = (key: string, person: Unsent["person"], isStarted = false): Unsent => ({
  ...{ key, person, isStarted, kind: "test", rows: [key], words: `Count ${key}`, to: "/app" },
  ...{ since: 0, place: 1, why: null, refusal: null, method: "POST", path: "batches" },
});
const user = (id: number, stores: number[] = []) => ({
  ...{ id, email_address: "a@example.org", name: "Ann" },
  stores: [id, ...stores].map((one) => ({ id: one, name: "", role: "owner" as const })),
});
let told: jest.SpyInstance;

beforeEach(async () => {
  told = jest.spyOn(toast, "error").mockImplementation(() => "");
  await kept.drop((await kept.all()).map(({ key }) => key));
  await kept.swap([], [unsent("of 7 in 3", "7@3"), unsent("own", 7), unsent("sent", "7@3", true)]);
});

afterEach(() => told.mockRestore());

const textOf = (blob: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(blob);
  });

const words = () => told.mock.calls.map(([text]) => text);

test("who still works there is told nothing", async () => {
  await tellLeft(user(7, [3]));
  expect(words()).toEqual([]);
});

test("who was removed decides on what is unsent, and it stays until then", async () => {
  await tellLeft(user(7));
  expect(words()).toEqual(["2 things unsent for a store that you left"]);
  expect(await kept.all()).toHaveLength(3);

  await told.mock.calls[0][1].action.run();
  const { left } = opened.getState();
  expect(left.map(({ key }) => key).sort()).toEqual(["of 7 in 3", "sent"]);

  await discardLeft(left);
  expect((await kept.all()).map(({ key }) => key)).toEqual(["own"]);
});

test("a file of it names what was done, and what was to be uploaded is saved too", async () => {
  const form: Unsent["form"] = [
    ["file", new File(["x"], "lots.bsx")],
    ["name", "Attic"],
  ];

  const saved: Blob[] = [];
  const making = jest.spyOn(URL, "createObjectURL").mockImplementation((made) => {
    saved.push(made as Blob);
    return "blob:file";
  });
  const saving = jest.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue(undefined);

  saveLeft([{ ...unsent("of 7 in 3", "7@3"), form }]);
  making.mockRestore();
  saving.mockRestore();

  expect(saved[1]).toMatchObject({ name: "lots.bsx" });
  const [line] = JSON.parse(await textOf(saved[0] ?? new Blob()));
  expect(line).toMatchObject({ words: "Count of 7 in 3", method: "POST", path: "batches" });
  expect(line.form).toEqual([
    ["file", "lots.bsx"],
    ["name", "Attic"],
  ]);
});

test("the owner can send what was not under way, and nobody else", async () => {
  await tellLeft(user(4));
  expect(words()).toEqual([]);
  await tellLeft(user(3));
  expect(words()).toEqual(["1 thing done by others in your store"]);

  await told.mock.calls[0][1].action.run();

  expect((await kept.of(3)).map(({ key }) => key)).toEqual(["of 7 in 3"]);
});
