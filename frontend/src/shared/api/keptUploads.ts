/**
 * Uploads that survive a reload: the file is kept in this browser until the server has answered,
 * and the page sends it again after the reload. It is sent with the first request's key, so that an
 * upload that had already arrived is carried out once.
 */
import { log } from "@/shared/lib/log";
import { onPersonForgotten } from "@/shared/lib/person";
import { problemText } from "@/shared/lib/problem";
import { apiAddress } from "./address";
import { type CallConfig, request } from "./client";
import type { Answer } from "./envelope";
import { formOf } from "./form";
import { intentOf } from "./intents";
import { keptUpload } from "./uploads";
import type { CallOf, PathOf, RowOf } from "./wire";

type UploadPath = Exclude<PathOf<"post">, `${string}{${string}`>;

export type KeptUpload = {
  key: string;
  endpoint: string;
  fields: [string, FormDataEntryValue][];
  timeoutMs: number | undefined;
  /** The page that shows a refused upload; the upload's key is appended to this address. */
  page: string;
};

const NAME = "brickstow_uploads";
const STORE = "files";

let isLeaving = false;
window.addEventListener("pagehide", () => {
  isLeaving = true;
});
window.addEventListener("pageshow", () => {
  isLeaving = false;
});

/** Why the server refused the upload when it was sent again. */
const refusals = new Map<string, Error>();

/** Posts a form with a file. The upload survives a reload. */
export async function postKept<Path extends UploadPath>(
  path: Path,
  given: { form: CallOf<"post", Path>["form"] & object; page: string } & CallConfig,
): Promise<Answer<RowOf<"post", Path>>> {
  const { form: fields, page, ...config } = given;
  const form = formOf({ ...fields });
  const kept: KeptUpload = {
    key: intentOf({ method: "POST", address: apiAddress(path), payload: form }).key,
    endpoint: path,
    fields: [...form.entries()],
    timeoutMs: config.timeoutMs,
    page,
  };
  const isKept = await keep(kept).then(
    () => true,
    (error) => {
      log.warn(`An upload is not kept over a reload: ${problemText(error)}`);
      return false;
    },
  );
  return send(kept, form, config, isKept);
}

/** The uploads that a reload interrupted in this tab. */
export async function leftUploads(): Promise<KeptUpload[]> {
  const keys = ownKeys();
  if (keys.length === 0) return [];
  const all = await inStore<KeptUpload[]>("readonly", (files) => files.getAll());
  return all.filter(({ key }) => keys.includes(key));
}

/** Sends interrupted uploads again. A refused upload is kept until `forgetLeft`. */
export async function sendLeft<Row>(left: KeptUpload): Promise<Answer<Row>> {
  const form = new FormData();
  for (const [name, value] of left.fields) form.append(name, value);
  try {
    return await send<Row>(left, form, { timeoutMs: left.timeoutMs }, true, true);
  } catch (error) {
    if (error instanceof Error) refusals.set(left.key, error);
    throw error;
  }
}

export type RefusedUpload = {
  file: File | null;
  /** The other fields of its form, as they were sent. */
  fields: Readonly<Record<string, string>>;
  error: Error | null;
};

/** The refused upload of this key with the reason; null where none is kept. */
export async function refusedUpload(key: string): Promise<RefusedUpload | null> {
  const left = (await leftUploads()).find((one) => one.key === key);
  if (!left) return null;
  const texts = left.fields.flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  return {
    file: left.fields.map(([, value]) => value).find((value) => value instanceof File) ?? null,
    fields: Object.fromEntries(texts), // other values are left out
    error: refusals.get(key) ?? null,
  };
}

/** The person has handled the refused upload or does not want it. */
export function forgetLeft(key: string): void {
  refusals.delete(key);
  void drop(key).catch(() => undefined); // nothing left to lose
}

async function send<Row>(
  { key, endpoint }: KeptUpload,
  form: FormData,
  config: CallConfig,
  isKept: boolean,
  staysAfterRefusal = false,
): Promise<Answer<Row>> {
  const done = isKept ? keptUpload() : undefined;
  let isOver = !staysAfterRefusal;
  try {
    const headers = { "Idempotency-Key": key };
    const answer = await request<Row>(endpoint, "POST", form, { ...config, headers });
    isOver = true;
    return answer;
  } finally {
    done?.();
    if (isKept && isOver && !isLeaving) forgetLeft(key);
  }
}

async function keep(upload: KeptUpload): Promise<void> {
  await inStore("readwrite", (files) => files.put(upload));
  sessionStorage.setItem(NAME, JSON.stringify([...ownKeys(), upload.key]));
}

async function drop(key: string): Promise<void> {
  sessionStorage.setItem(NAME, JSON.stringify(ownKeys().filter((own) => own !== key)));
  await inStore("readwrite", (files) => files.delete(key));
}

/** Another tab is sending this upload. */
function ownKeys(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? "[]");
  } catch {
    return [];
  }
}

function inStore<Result>(
  mode: IDBTransactionMode,
  act: (files: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "key" });
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, mode);
      const asked = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        database.close();
        resolve(asked.result);
      };
      transaction.onabort = () => {
        database.close();
        reject(transaction.error);
      };
    };
  });
}

onPersonForgotten(() => {
  sessionStorage.removeItem(NAME);
  if (typeof indexedDB !== "undefined") indexedDB.deleteDatabase(NAME);
});
