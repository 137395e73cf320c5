/** @apart The line and what is kept are of one page. */
import { QueryObserver } from "@tanstack/react-query";
import { waitFor } from "@testing-library/react";
import { catalogQueries } from "@/features/catalog/public";
import { inventoryQueries } from "@/features/inventory/public";
import { canReach, line, noteReached } from "@/shared/lib/line";
import { forgetPerson, holdFor } from "@/shared/lib/person";
import { newQueryClient } from "@/shared/query/newQueryClient";
import {
  answer,
  cutLine,
  installServer,
  never,
  ok,
  restoreLine,
  sent,
} from "@/shared/testing/server";
import { keepAnswers } from "./keptAnswers";
import { queryRows } from "./queries";

const batches = () => queryRows(["batches", "list"], "batches");
const counts = () => inventoryQueries.counts({ zeroQuantity: false, unconsolidated: false }, [{}]);
const sources = () => queryRows(["sources", "list"], "sources");

/** The app after a reload. */
function open() {
  const client = newQueryClient();
  keepAnswers(client);
  return client;
}

/** Waits until what was answered is kept. */
async function closed(client: ReturnType<typeof open>): Promise<void> {
  window.dispatchEvent(new Event("pagehide"));
  client.clear();
  const opening = indexedDB.open("brickstow_answers");
  await new Promise((resolve) => opening.addEventListener("success", resolve));
  // It comes after the writings before it.
  const after = opening.result.transaction("answers", "readwrite");
  after.objectStore("answers").count();
  await new Promise((resolve) => after.addEventListener("complete", resolve));
  opening.result.close();
}

async function kept(...rows: unknown[]): Promise<void> {
  answer("GET /api/batches", () => ok(rows));
  const client = open();
  await client.fetchQuery(batches());
  await closed(client);
}

beforeEach(() => {
  installServer();
  holdFor(1);
});
afterEach(() => {
  restoreLine();
  noteReached();
  forgetPerson();
  holdFor(null);
});

describe("while the server cannot be reached", () => {
  it("the last answer is shown, with its time, after a reload too", async () => {
    const before = Date.now();
    await kept({ id: 1 });
    cutLine();

    const client = open();
    expect(await client.fetchQuery(batches())).toEqual([{ id: 1 }]);

    const { asOf } = line.getState();
    expect(asOf).toBeGreaterThanOrEqual(before);
    expect(asOf).toBeLessThanOrEqual(Date.now());
  });

  it("the last answer is shown before a request has failed that hangs", async () => {
    await kept({ id: 1 });
    cutLine();
    await canReach();
    restoreLine();
    answer("GET /api/batches", never);

    const page = new QueryObserver(open(), batches());
    const stop = page.subscribe(() => {});
    await waitFor(() => expect(page.getCurrentResult().data).toEqual([{ id: 1 }]));
    stop();
  });

  it("what an act asks for waits for the server as long as it may answer", async () => {
    await kept({ id: 1 });
    cutLine();
    await canReach();
    restoreLine();
    answer("GET /api/batches", () => ok([{ id: 2 }]));

    expect(await open().fetchQuery(batches())).toEqual([{ id: 2 }]);
  });

  it("the plan of an act is not shown once its page was left", async () => {
    const plan = { ...batches(), meta: { isPlan: true } };
    answer("GET /api/batches", () => ok([{ id: 1 }]));
    const client = open();
    await client.fetchQuery(plan);
    await closed(client);
    cutLine();

    await expect(open().fetchQuery(plan)).rejects.toMatchObject({ failure: "connection" });
  });

  it("what only reads is not tried again where it is posted, either", async () => {
    cutLine();
    const asked = jest.spyOn(globalThis, "fetch");

    const failing = open().fetchQuery(counts());

    await expect(failing).rejects.toMatchObject({ failure: "connection" });
    expect(asked).toHaveBeenCalledTimes(2);
    asked.mockRestore();
  });

  it("what a page shows stays, in place of an error", async () => {
    answer("GET /api/batches", () => ok([{ id: 1 }]));
    const client = open();
    const observer = new QueryObserver(client, batches());
    const stop = observer.subscribe(() => undefined);
    await observer.refetch();
    cutLine();

    const { data, error } = await observer.refetch();

    expect([data, error]).toEqual([[{ id: 1 }], null]);
    stop();
  });

  it("one question settles it for all that is read: nothing is tried again and again", async () => {
    cutLine();
    const asked = jest.spyOn(globalThis, "fetch");

    const client = open();
    const failing = [client.fetchQuery(batches()), client.fetchQuery(sources())].map((asking) =>
      asking.catch(({ failure }) => failure),
    );

    expect(await Promise.all(failing)).toEqual(["connection", "connection"]);
    expect(asked).toHaveBeenCalledTimes(3);
    asked.mockRestore();
  });

  it("a search finds what earlier searches found", async () => {
    const item = { id: 5, item_number: "3001", item_name: "Brick 2 x 4", item_type: "PART" };
    const other = { ...item, id: 6, item_number: "3001pr1" };
    answer("GET /api/catalogItems", () => ok([other, item]));
    const client = open();
    await client.fetchQuery(catalogQueries.search({ text: "brick 2", limit: 5 }));
    await closed(client);
    cutLine();

    const { data } = await open().fetchQuery(catalogQueries.search({ text: "3001", limit: 5 }));

    expect(data.map(({ id }) => id)).toEqual([5, 6]);
  });
});

it("an answer of the server comes before the kept one", async () => {
  await kept({ id: 1 });
  answer("GET /api/batches", () => ok([{ id: 2 }]));

  expect(await open().fetchQuery(batches())).toEqual([{ id: 2 }]);
  expect(sent("GET /api/batches")).toHaveLength(2);
});

describe("of another person", () => {
  it("nothing is shown", async () => {
    await kept({ id: 1 });
    holdFor(2);
    cutLine();

    await expect(open().fetchQuery(batches())).rejects.toThrow("Unable to connect");
  });

  it("nothing is left after logging out, not even what was about to be kept", async () => {
    await kept({ id: 1 });
    answer("GET /api/sources", () => ok([{ id: 1 }]));
    const client = open();
    await client.fetchQuery(sources());
    forgetPerson();
    await closed(client);
    cutLine();

    await expect(open().fetchQuery(batches())).rejects.toThrow("Unable to connect");
    await expect(open().fetchQuery(sources())).rejects.toThrow("Unable to connect");
  });

  it("no answer that is kept has a token in it", async () => {
    localStorage.setItem("accessToken", "secret-token");
    await kept({ id: 1 });

    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open("brickstow_answers");
      opening.onsuccess = () => resolve(opening.result);
    });
    const all = await new Promise<unknown>((resolve) => {
      const reading = database.transaction("answers").objectStore("answers").getAll();
      reading.onsuccess = () => resolve(reading.result);
    });
    database.close();

    expect(JSON.stringify(all)).toContain('"id":1');
    expect(JSON.stringify(all)).not.toContain("secret-token");
  });
});
