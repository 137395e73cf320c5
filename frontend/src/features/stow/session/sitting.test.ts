/** The session of this tab, with the requests of the station. */
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { holdFor } from "@/shared/lib/person";
import { settled } from "@/shared/outbox/testing/tabs";
import { outbox } from "@/shared/outbox/theOutbox";
import { clientStore, reloadClientState } from "@/shared/store/clientStore";
import { answer, installServer, sent } from "@/shared/testing/server";
import { makeAdded, makeLastAdded } from "../testing/builders";
import { StationServer } from "../testing/stationServer";
import { StowSession } from "./sender";
import { sitting } from "./sitting";

const NOW = Date.UTC(2026, 0, 31, 19);
const ofBefore = makeLastAdded({ batchId: 3, batchName: "Fair" });
const sentAll = () => settled(() => outbox.store.getState().requests.length === 0);

let server: StationServer;
beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  installServer();
  reloadClientState();
  sessionStorage.clear();
  holdFor(1);
  sitting.forget();
  await outbox.open(1);
  server = new StationServer().install();
});

afterEach(() => {
  jest.restoreAllMocks();
  outbox.close();
});

describe("the last added item", () => {
  it("is the one of before the session again when all of it was undone", async () => {
    clientStore.set("lastBatchItemAdded", ofBefore);
    await sitting.add(makeAdded(), NOW);

    sitting.undo(NOW);

    expect(clientStore.get("lastBatchItemAdded")).toEqual(ofBefore);
  });

  it("is none when it is a row from before the session, and was undone", () => {
    clientStore.set("lastBatchItemAdded", ofBefore);
    const { id } = server.put({ qty: 4 });
    const known = { id, quantity: 4, binId: 3, isStowed: false };
    const { key, draft, bin } = makeAdded({ key: "old" });
    const row = { key, draft, bin, known, quantity: 4, startedWith: 4, addedAt: NOW };
    const rest = { stow: false, overrideReason: "", problem: null };
    sitting.store.setState({ rows: [{ ...row, ...rest }] });

    sitting.setQuantity("old", 0, NOW);

    expect(clientStore.get("lastBatchItemAdded")).toBeNull();
  });
});

it("keeps the steps of what was answered while the page was hidden", async () => {
  await sitting.resume();
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  answer("POST /api/batchItems", async () => {
    await gate;
    return new Response(JSON.stringify({ success: true, data: [server.put()], meta: {} }));
  });
  await sitting.add(makeAdded({ key: "of this test alone" }), NOW);
  jest.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  open();
  // The answer says no bin: that is sent next.
  await settled(() => sitting.store.getState().rows[0]?.known?.binId === 3);
  await sentAll();

  const next = new StowSession(outbox);
  await next.resume();
  next.undo(NOW);

  await settled(() => sent("POST /api/batchItems/1/count").length === 1);
  next.end();
});
