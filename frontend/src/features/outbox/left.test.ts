import { KeptRequests } from "@/shared/outbox/keptRequests";
import type { Unsent } from "@/shared/outbox/unsent";
import { toast } from "@/shared/ui/toast";
import { tellLeft } from "./left";

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

const words = () => told.mock.calls.map(([text]) => text);

test("who still works there is told nothing", async () => {
  await tellLeft(user(7, [3]));
  expect(words()).toEqual([]);
});

test("who was removed can save what is unsent, and it stays", async () => {
  await tellLeft(user(7));
  expect(words()).toEqual(["2 things unsent for a store that you left"]);
  expect(await kept.all()).toHaveLength(3);
});

test("the owner can send what was not under way, and nobody else", async () => {
  await tellLeft(user(4));
  expect(words()).toEqual([]);
  await tellLeft(user(3));
  expect(words()).toEqual(["1 thing done by others in your store"]);

  await told.mock.calls[0][1].action.run();

  expect((await kept.of(3)).map(({ key }) => key)).toEqual(["of 7 in 3"]);
});
