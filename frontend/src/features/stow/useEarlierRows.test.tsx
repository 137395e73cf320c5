import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { createQueryClient } from "@/shared/api/queryClient";
import { holdFor } from "@/shared/lib/person";
import { installServer, sent } from "@/shared/testing/server";
import { tellFailure } from "@/shared/ui/tellFailure";
import { inBatch, lastRow, piecesNow } from "./session";
import { sitting } from "./sitting";
import { makeAdded, makeDraft } from "./testing/builders";
import { StationServer } from "./testing/stationServer";
import { useEarlierRows } from "./useEarlierRows";

const NOW = Date.UTC(2026, 0, 31, 18);

let server: StationServer;
beforeEach(() => {
  installServer();
  sessionStorage.clear();
  holdFor(1);
  sitting.forget();
  server = new StationServer().install();
});

const [attic] = new StationServer().batches as [StationServer["batches"][0]];
const fair = { ...attic, id: 8, name: "Fair" };
const session = () => sitting.store.getState();

function show(batch = attic) {
  const client = createQueryClient(tellFailure);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook((shown) => useEarlierRows(shown), { wrapper, initialProps: batch });
}

it("shows what was added before to a batch that is chosen second", async () => {
  const old = server.put({ batch_id: fair.id });
  const { rerender } = show();
  await waitFor(() => expect(sent("GET /api/batchItems")).toHaveLength(2));
  sitting.add(makeAdded({ draft: makeDraft({ batchId: attic.id }) }), NOW);

  rerender(fair);

  await waitFor(() => expect(lastRow(inBatch(session(), fair.id))?.known?.id).toBe(old.id));
});

it("counts the batch's pieces as the server does now", async () => {
  const { key, draft, bin } = makeAdded({ key: "of the page before" });
  const { id, updatedAt } = server.put({ qty: 2 });
  const known = { id, quantity: 2, binId: 3, isStowed: false, updatedAt };
  const saved = { ...{ key, draft, bin, known }, quantity: 2, startedWith: 2, addedAt: NOW };
  const rest = { stow: false, overrideReason: "", problem: null };
  sitting.store.setState({ rows: [{ ...saved, ...rest }] });
  for (let count = 0; count < 8; count += 1) server.put();

  show({ ...attic, batch_item_item_count: 52 });

  await waitFor(() => expect(session().rows).toHaveLength(9));
  expect(piecesNow(session(), attic.id)).toBe(52);
});
