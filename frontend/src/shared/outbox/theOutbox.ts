/** The outbox of this tab, and its wire. */
import { useMemo } from "react";
import { useStore } from "zustand";
import { type CallConfig, request } from "@/shared/api/client";
import { keptUpload } from "@/shared/api/uploads";
import type { CallOf, PathOf, RowOf } from "@/shared/api/wire";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { noteUnsent, onPersonBack, onPersonForgotten } from "@/shared/lib/person";
import { KeptRequests } from "./keptRequests";
import { Outbox } from "./outbox";
import { type NewRequest, type Unsent, type Wire, type WriteVerb, wireOf } from "./unsent";

export const outbox = new Outbox({
  kept: new KeptRequests(),
  channel:
    typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("brickstow_outbox"),
  locks: navigator.locks ?? null,
  send: async ({ method, path, body, form, key, rebases, timeoutMs }) => {
    const onUploadProgress = uploads.get(key);
    const config = {
      headers: { "Idempotency-Key": rebases ? `${key}.${rebases}` : key },
      retry: false, // it pauses and tries again by itself
      ...(timeoutMs && { timeoutMs }),
      ...(onUploadProgress && { onUploadProgress }),
    };
    const done = form && keptUpload();
    try {
      return (await request(path, method, form ? formDataOf(form) : (body ?? null), config)).data;
    } finally {
      done?.();
    }
  },
});

/** How far the uploads of this tab are, for those who wait beside them. */
const uploads = new Map<string, NonNullable<CallConfig["onUploadProgress"]>>();

onPersonForgotten(() => outbox.close());
onPersonBack(outbox.tryNow);
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

/** An upload that is refused after its page was left; its request's key is in the page's address. */
export const UPLOADS = "uploads";

/**
 * Sends a file in the same way. `page` is the address where a refused one is corrected, but for the
 * key that names it.
 */
export async function sendUpload<Path extends PathOf<"post">>(
  path: Path,
  form: CallOf<"post", Path>["form"] & { file: string | Blob },
  {
    page,
    stale,
    timeoutMs,
    onUploadProgress,
  }: { page: string } & Pick<NewRequest, "stale"> & CallConfig,
): Promise<RowOf<"post", Path> | null> {
  const key = newIdempotencyKey();
  if (onUploadProgress) uploads.set(key, onUploadProgress);
  try {
    const call = { form } as unknown as CallOf<"post", Path>; // its path has no fields
    return await sendKept("post", path, call, {
      kind: UPLOADS,
      rows: [`${UPLOADS} to ${path}`],
      words: `Send ${form.file instanceof File ? form.file.name : "a file"}`,
      to: `${page}${key}`,
      ...(stale && { stale }),
      ...(timeoutMs && { timeoutMs }),
      key,
    });
  } finally {
    uploads.delete(key);
  }
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
