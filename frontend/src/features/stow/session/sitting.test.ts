/** The session of this tab, with the requests of the station. */
import { holdFor } from "@/shared/lib/person";
import { clientStore, reloadClientState } from "@/shared/store/clientStore";
import { answer, installServer, sent } from "@/shared/testing/server";
import { makeAdded, makeLastAdded } from "../testing/builders";
import { StationServer } from "../testing/stationServer";
import { stowPort } from "./port";
import { StowSession } from "./sender";
import { sitting } from "./sitting";

const NOW = Date.UTC(2026, 0, 31, 19);
const ofBefore = makeLastAdded({ batchId: 3, batchName: "Fair" });
const settled = () => new Promise((resolve) => setTimeout(resolve, 50));

let server: StationServer;
beforeEach(() => {
  installServer();
  reloadClientState();
  sessionStorage.clear();
  holdFor(1);
  sitting.forget();
  server = new StationServer().install();
});

afterEach(() => jest.restoreAllMocks());

describe("the last added item", () => {
  it("is the one of before the session again when all of it was undone", async () => {
    clientStore.set("lastBatchItemAdded", ofBefore);
    sitting.add(makeAdded(), NOW);
    await settled();

    sitting.undo(NOW);
    await settled();

    expect(clientStore.get("lastBatchItemAdded")).toEqual(ofBefore);
  });

  it("is none when it is a row from before the session, and was undone", () => {
    clientStore.set("lastBatchItemAdded", ofBefore);
    const { id, updatedAt } = server.put({ qty: 4 });
    const known = { id, quantity: 4, binId: 3, isStowed: false, updatedAt };
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
  sitting.add(makeAdded(), NOW);
  jest.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  open();
  await settled();

  const next = new StowSession(stowPort);
  await next.resume();
  next.undo(NOW);
  await settled();

  expect(sent("DELETE /api/batchItems/1")).toHaveLength(1);
});
