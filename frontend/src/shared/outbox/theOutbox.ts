/** The outbox of this tab, and its wire. */
import { useMemo } from "react";
import { useStore } from "zustand";
import { request } from "@/shared/api/client";
import type { CallOf, PathOf, RowOf } from "@/shared/api/wire";
import { noteUnsent, onPersonForgotten } from "@/shared/lib/person";
import { KeptRequests } from "./keptRequests";
import { Outbox } from "./outbox";
import { type NewRequest, type Unsent, type Wire, type WriteVerb, wireOf } from "./unsent";

export const outbox = new Outbox({
  kept: new KeptRequests(),
  channel:
    typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("brickstow_outbox"),
  locks: navigator.locks ?? null,
  send: async ({ method, path, body, form, key, timeoutMs }) => {
    const headers = { "Idempotency-Key": key };
    // It pauses and tries again by itself.
    const config = { headers, retry: false, ...(timeoutMs && { timeoutMs }) };
    return (await request(path, method, form ? formDataOf(form) : (body ?? null), config)).data;
  },
});

onPersonForgotten(() => outbox.close());
outbox.store.subscribe(({ requests }) =>
  noteUnsent(requests.filter(({ refusal }) => !refusal).length),
);

function formDataOf(fields: NonNullable<Unsent["form"]>): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

/**
 * Sends one call for who waits beside it: resolves with the row of its answer, and rejects with its
 * refusal. Null: it is kept, and sent when the server answers.
 */
export async function sendKept<V extends WriteVerb, Path extends PathOf<V>>(
  verb: V,
  path: Path,
  call: CallOf<V, Path>,
  { timeoutMs, ...told }: Omit<NewRequest, keyof Wire> & { timeoutMs?: number },
): Promise<RowOf<V, Path> | null> {
  const wire = wireOf(verb, path, call);
  const answer = await outbox.send({ ...wire, ...told, ...(timeoutMs && { timeoutMs }) });
  const [row] = answer ?? [];
  return (row ?? null) as RowOf<V, Path> | null; // as the schema says
}

const ofKind = (requests: readonly Unsent[], kind: string) =>
  requests.filter((one) => one.kind === kind && !one.refusal);

/** The requests of a kind that wait for their answers. */
export const waitingOf = (kind: string): readonly Unsent[] =>
  ofKind(outbox.store.getState().requests, kind);

export const useWaiting = (kind: string): readonly Unsent[] => {
  const requests = useStore(outbox.store, (state) => state.requests);
  return useMemo(() => ofKind(requests, kind), [requests, kind]);
};
