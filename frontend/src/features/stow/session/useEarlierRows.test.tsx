/** @apart A page takes up the steps of the one before it once. */
import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { holdFor } from "@/shared/lib/person";
import { outbox } from "@/shared/outbox/theOutbox";
import { newQueryClient } from "@/shared/query/newQueryClient";
import { testPerson } from "@/shared/testing/rendering";
import { installServer, sent } from "@/shared/testing/server";
import { makeAdded, makeDraft } from "../testing/builders";
import { StationServer } from "../testing/stationServer";
import { StowSession } from "./sender";
import { inBatch, lastRow, piecesNow } from "./session";
import { sitting } from "./sitting";
import { useEarlierRows } from "./useEarlierRows";

const NOW = Date.UTC(2026, 0, 31, 18);

let server: StationServer;
beforeEach(async () => {
  installServer();
  await outbox.open(testPerson());
  sessionStorage.clear();
  holdFor(testPerson());
  sitting.forget();
  server = new StationServer().install();
});

const [attic] = new StationServer().batches as [StationServer["batches"][0]];
const fair = { ...attic, id: 8, name: "Fair" };
const session = () => sitting.store.getState();

function show(batch = attic) {
  const client = newQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook((shown) => useEarlierRows(shown), { wrapper, initialProps: batch });
}

it("shows what was added before to a batch that is chosen second", async () => {
  const old = server.put({ batch_id: fair.id });
  const { rerender } = show();
  await waitFor(() => expect(sent("GET /api/batchItems")).toHaveLength(2));
  void sitting.add(makeAdded({ draft: makeDraft({ batchId: attic.id }) }), NOW);

  rerender(fair);

  await waitFor(() => expect(lastRow(inBatch(session(), fair.id))?.known?.id).toBe(old.id));
});

it("shows rows of the page before as the server has them now", async () => {
  const before = new StowSession(outbox);
  const add = (key: string, quantity: number) => {
    const draft = makeDraft({ lotId: key.charCodeAt(0) });
    void before.add(makeAdded({ key, draft, quantity, bin: { id: 1, name: "A-01" } }), NOW);
    const isKnown = { key, known: { quantity } };
    return waitFor(() => expect(before.store.getState().rows[0]).toMatchObject(isKnown));
  };
  await add("changed", 2);
  await add("removed", 3);
  before.keepSteps();
  before.end();
  const [changed, removed] = server.items;
  server.items = server.items
    .filter((item) => item !== removed)
    .map((item) => ({
      ...item,
      qty: 5,
      user_inventory_item_location_id: 2,
      user_inventory_item_location_name: "A-02",
    }));
  await sitting.resume();
  server.put({ qty: 7, createdAt: "2026-01-31T20:00:00Z" });

  show({ ...attic, batch_item_item_count: 52 });

  await waitFor(() => expect(session().rows.find(({ quantity }) => quantity === 7)).toBeDefined());
  expect(
    session().rows.map(({ key, quantity, bin, known }) => [key, quantity, bin?.name, known?.id]),
  ).toEqual([
    ["earlier 3", 7, undefined, 3],
    ["removed", 0, "A-01", undefined],
    ["changed", 5, "A-02", changed?.id],
  ]);
  expect(piecesNow(session(), attic.id)).toBe(52);
});

it("counts the batch's pieces as the server does now", async () => {
  const { key, draft, bin } = makeAdded({ key: "of the page before" });
  const { id } = server.put({ qty: 2 });
  const known = { id, quantity: 2, binId: 3, isStowed: false };
  const saved = { ...{ key, draft, bin, known }, quantity: 2, startedWith: 2, addedAt: NOW };
  const rest = { stow: false, overrideReason: "", problem: null };
  sitting.store.setState({ rows: [{ ...saved, ...rest }] });
  for (let count = 0; count < 8; count += 1) server.put();

  show({ ...attic, batch_item_item_count: 52 });

  await waitFor(() => expect(session().rows).toHaveLength(9));
  expect(piecesNow(session(), attic.id)).toBe(52);
});
