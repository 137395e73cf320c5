/**
 * Files on their way that a reload must not lose: kept in this browser until the server has
 * answered, and sent again by the page after the reload. The key of the first request goes with
 * them, so that what had arrived already is carried out once.
 */
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { log } from "@/shared/lib/log";
import { onPersonForgotten } from "@/shared/lib/person";
import { problemText } from "@/shared/lib/problem";
import { type CallConfig, request } from "./client";
import type { Answer } from "./envelope";
import { formOf } from "./form";
import { keptUpload } from "./uploads";
import type { CallOf, PathOf, RowOf } from "./wire";

type UploadPath = Exclude<PathOf<"post">, `${string}{${string}`>;

export type KeptUpload = {
  key: string;
  endpoint: string;
  fields: [string, FormDataEntryValue][];
  timeoutMs: number | undefined;
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

/** Posts a form with a file. A reload meanwhile does not lose it. */
export async function postKept<Path extends UploadPath>(
  path: Path,
  { form: fields, ...config }: { form: CallOf<"post", Path>["form"] & object } & CallConfig,
): Promise<Answer<RowOf<"post", Path>>> {
  const form = formOf({ ...fields });
  const kept: KeptUpload = {
    key: newIdempotencyKey(),
    endpoint: path,
    fields: [...form.entries()],
    timeoutMs: config.timeoutMs,
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

/** What a reload cut off in this tab. */
export async function leftUploads(): Promise<KeptUpload[]> {
  const keys = ownKeys();
  if (keys.length === 0) return [];
  const all = await inStore<KeptUpload[]>("readonly", (files) => files.getAll());
  return all.filter(({ key }) => keys.includes(key));
}

/** Sends again what a reload cut off. */
export function sendLeft<Row>(left: KeptUpload): Promise<Answer<Row>> {
  const form = new FormData();
  for (const [name, value] of left.fields) form.append(name, value);
  return send<Row>(left, form, { timeoutMs: left.timeoutMs }, true);
}

async function send<Row>(
  { key, endpoint }: KeptUpload,
  form: FormData,
  config: CallConfig,
  isKept: boolean,
): Promise<Answer<Row>> {
  const done = isKept ? keptUpload() : undefined;
  try {
    const headers = { "Idempotency-Key": key };
    return await request<Row>(endpoint, "POST", form, { ...config, headers });
  } finally {
    done?.();
    if (isKept && !isLeaving) void drop(key).catch(() => undefined); // nothing left to lose
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

/** Another tab's upload goes on there. */
function ownKeys(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? "[]") as string[]; // as written above
  } catch {
    return [];
  }
}

function inStore<Result>(
  mode: IDBTransactionMode,
  act: (files: IDBObjectStore) => IDBRequest,
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
        resolve(asked.result as Result); // what was asked for
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
