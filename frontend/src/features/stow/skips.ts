/**
 * Uploads the photos of skipped pieces. The piece is put away when X is pressed, so its photo is
 * the only record: it is kept in this browser, over a reload and without a connection, until the
 * server has stored it once.
 */

import type { QueryClient } from "@tanstack/react-query";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { createKeeper } from "@/shared/lib/keeper";
import { log } from "@/shared/lib/log";
import { onPersonForgotten } from "@/shared/lib/person";
import { problemText } from "@/shared/lib/problem";
import { toast } from "@/shared/ui/toast";
import type { Condition } from "./model";
import { isUnreachable, TRY_AGAIN_MS } from "./sender";

type Skip = {
  key: string;
  batch: number;
  condition: Condition;
  /** The photo as a data URL: the browser's settings hold text. */
  photo: string;
  /** The server could not be reached; the upload is retried automatically. */
  waiting: boolean;
};

/** Oldest first. */
const store = createStore<readonly Skip[]>(() => []);
const keeper = createKeeper<readonly Skip[]>("skips");
store.subscribe((all) => {
  try {
    keeper.keep(all.length === 0 ? null : all);
  } catch (error) {
    log.warn(`Photos are not kept over a reload: ${problemText(error)}`);
    toast.error("This browser has no room for more photos", {
      id: "skipsNotKept",
      detail: "Wait for those on their way before you reload or close the page.",
    });
  }
});

let timer: ReturnType<typeof setTimeout> | undefined;
let era = 0;
let working = false;
onPersonForgotten(() => {
  era += 1;
  clearTimeout(timer);
  store.setState([], true);
});

/** Skips a piece with its photo. */
export async function skipPiece(
  client: QueryClient,
  skipped: { batch: number; picture: Blob; condition: Condition },
): Promise<void> {
  const { batch, condition } = skipped;
  const photo = await dataAddress(skipped.picture);
  const skip = { key: newIdempotencyKey(), batch, condition, photo, waiting: false };
  store.setState((all) => [...all, skip], true);
  await sendSkips(client);
}

/** Takes over unsent photos from before a reload or of a closed tab. */
export async function resumeSkips(client: QueryClient): Promise<void> {
  const left = (await keeper.takeLeft()).flat();
  if (left.length === 0) return;
  store.setState((all) => [...left, ...all], true);
  await sendSkips(client);
}

/** Sends all, one after the other; stops if the server cannot be reached. */
export async function sendSkips(client: QueryClient): Promise<void> {
  if (working) return;
  working = true;
  clearTimeout(timer);
  const mine = era;
  try {
    for (let skip = store.getState()[0]; skip && mine === era; skip = store.getState()[0]) {
      if (!(await send(client, skip, mine))) break;
    }
  } finally {
    working = false;
  }
}

/** False when the server cannot be reached. */
async function send(client: QueryClient, skip: Skip, mine: number): Promise<boolean> {
  try {
    const photo = blobOf(skip.photo);
    const file = new File([photo], "piece.jpg", { type: photo.type });
    const headers = { "Idempotency-Key": skip.key };
    const { id } = one(
      await api.post("batches/{id}/skip", {
        path: { id: skip.batch },
        form: { file, condition: skip.condition },
        headers,
      }),
    );
    if (mine !== era) return true;
    tell(client, id);
  } catch (error) {
    if (mine !== era) return true;
    if (isUnreachable(error)) {
      const waiting = (each: Skip) => ({ ...each, waiting: true });
      store.setState((all) => all.map(waiting), true);
      timer = setTimeout(() => void sendSkips(client), TRY_AGAIN_MS);
      return false;
    }
    toast.error("A skipped piece was refused", { detail: problemText(error) });
  }
  store.setState((all) => all.filter(({ key }) => key !== skip.key), true);
  return true;
}

function tell(client: QueryClient, id: number): void {
  const refresh = () => {
    for (const queryKey of [["batches"], ["batchItems", "list"], ["batchItems", "skipped"]]) {
      void client.invalidateQueries({ queryKey });
    }
  };
  refresh();
  const takeBack = () => {
    api
      .delete("batchItems/{id}", { path: { id } })
      .then(refresh, (error: unknown) => toast.error(problemText(error)));
  };
  toast.success("Skipped, its photo is kept in the batch", {
    action: { label: "Undo", run: takeBack },
  });
}

const countWaiting = (all: readonly Skip[]) => all.filter(({ waiting }) => waiting).length;

/** Photos that have not been sent. */
export const useWaitingSkips = () => useStore(store, countWaiting);

async function dataAddress(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(picture);
  });
}

/** Converts a data URL back to the picture. */
export function blobOf(address: string): Blob {
  const type = /^data:([^;,]*)/.exec(address)?.[1];
  const bytes = atob(address.slice(address.indexOf(",") + 1));
  return new Blob([Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))], {
    type: type || "image/jpeg",
  });
}
