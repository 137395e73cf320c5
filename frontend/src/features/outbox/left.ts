/** What a member of a store could not send before he was removed: kept here, for its owner. */
import type { User } from "@/features/auth/public";
import { counted } from "@/shared/lib/format";
import { saveFile } from "@/shared/lib/saveFile";
import { KeptRequests } from "@/shared/outbox/keptRequests";
import { outbox } from "@/shared/outbox/theOutbox";
import type { Unsent } from "@/shared/outbox/unsent";
import { tellFailure } from "@/shared/ui/tellFailure";
import { toast } from "@/shared/ui/toast";
import { opened } from "./opened";

const kept = new KeptRequests();

/** Offers what was left: to the owner to send in his own name, to who left as a file or to discard. */
export async function tellLeft({ id, store, stores = [] }: User): Promise<void> {
  const all = await kept.all();
  const inOwnStore = (store?.id ?? id) === id;
  // One that was under way may have arrived: sent by another person it would be done twice.
  const toSend = all.filter(
    ({ person, isStarted }) => inOwnStore && !isStarted && `${person}`.endsWith(`@${id}`),
  );
  const known = new Set([id, ...stores.map((one) => one.id)].map((one) => `${id}@${one}`));
  const toSave = all.filter(
    ({ person }) => `${person}`.startsWith(`${id}@`) && !known.has(`${person}`),
  );
  if (toSend.length > 0) {
    offer(`${counted(toSend.length, "thing")} done by others in your store`, {
      id: "left-to-send",
      detail: "Not sent from this computer yet. If you send it, it is done in your name.",
      action: { label: "Send", run: () => send(toSend, id).catch(tellFailure) },
    });
  }
  if (toSave.length > 0) {
    offer(`${counted(toSave.length, "thing")} unsent for a store that you left`, {
      id: "left-to-save",
      detail: "It is sent to no other store. Save it for its owner, or discard it.",
      action: { label: "Decide", run: () => opened.setState({ left: toSave }) },
    });
  }
}

const offer = (words: string, options: Parameters<typeof toast.error>[1]) =>
  toast.error(words, { duration: Number.POSITIVE_INFINITY, ...options });

async function send(requests: readonly Unsent[], id: number): Promise<void> {
  const mine = requests.map((one) => ({ ...one, person: id, refusal: null }));
  await kept.swap(
    requests.map(({ key }) => key),
    mine,
  );
  await outbox.open(id);
}

/** Saves a list of it, and each file that was to be uploaded. */
export function saveLeft(requests: readonly Unsent[]): void {
  const lines = requests.map(({ words, since, method, path, body, form }) => ({
    ...{ words, since: new Date(since).toISOString(), method, path, body },
    ...(form && { form: form.map(([name, value]) => [name, nameOf(value)]) }),
  }));
  const content = new Blob([JSON.stringify(lines, null, 2)], { type: "application/json" });
  saveFile({ name: "unsent.json", content });
  for (const [, value] of requests.flatMap(({ form = [] }) => form)) {
    if (value instanceof File) saveFile({ name: value.name, content: value });
  }
}

const nameOf = (value: unknown) => (value instanceof File ? value.name : value);

export async function discardLeft(requests: readonly Unsent[]): Promise<void> {
  await kept.drop(requests.map(({ key }) => key));
  toast.remove("left-to-save");
  toast.success(`Discarded: ${counted(requests.length, "thing")}`, {
    action: { label: "Undo", run: () => kept.swap([], requests).then(() => undefined) },
  });
}
