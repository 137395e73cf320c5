/**
 * Uploads the photos of skipped pieces. The piece is put away when X is pressed, so its photo is
 * the only record: it is kept in this browser, over a reload and without a connection, until the
 * server has stored it once.
 */

import type { QueryClient } from "@tanstack/react-query";
import { useStore } from "zustand";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { log } from "@/shared/lib/log";
import { problemText } from "@/shared/lib/problem";
import { invalidate } from "@/shared/lib/tags";
import { createOutbox } from "@/shared/outbox/tabCalls";
import { tellFailure } from "@/shared/ui/tellFailure";
import { toast } from "@/shared/ui/toast";
import type { BatchItem, Condition } from "../model";

type Skip = {
  key: string;
  batch: number;
  condition: Condition;
  /** The photo as a data URL: the browser's settings hold text. */
  photo: string;
};

export const skips = createOutbox<Skip, BatchItem>({
  name: "skips",
  send: async ({ key, batch, condition, photo }) => {
    const blob = blobOf(photo);
    const file = new File([blob], "piece.jpg", { type: blob.type });
    return one(
      await api.post("batches/{id}/skip", {
        path: { id: batch },
        form: { file, condition },
        headers: { "Idempotency-Key": key },
      }),
    );
  },
  onNotKept: (error) => {
    log.warn(`Photos are not kept over a reload: ${problemText(error)}`);
    toast.error("This browser has no room for more photos", {
      id: "skipsNotKept",
      detail: "Wait for those on their way before you reload or close the page.",
    });
  },
});

/** Skips a piece with its photo. */
export async function skipPiece(skipped: {
  batch: number;
  picture: Blob;
  condition: Condition;
}): Promise<void> {
  const { batch, condition } = skipped;
  const photo = await dataAddress(skipped.picture);
  await skips.put([{ key: newIdempotencyKey(), batch, condition, photo }]);
}

/** Tells of each photo that is stored or refused. Returns a function that stops it. */
export const tellSkips = (client: QueryClient): (() => void) =>
  skips.onAnswered(({ answer, error }) => {
    if (answer) tell(client, answer.id);
    else toast.error("A skipped piece was refused", { detail: problemText(error) });
  });

function tell(client: QueryClient, id: number): void {
  const refresh = () =>
    void invalidate(client, "batches", ["batchItems", "list"], ["batchItems", "skipped"]);
  refresh();
  const takeBack = () => {
    api.delete("batchItems/{id}", { path: { id } }).then(refresh, tellFailure);
  };
  toast.success("Skipped, its photo is kept in the batch", {
    action: { label: "Undo", run: takeBack },
  });
}

/** The number of photos that could not be sent. */
export const useWaitingSkips = () =>
  useStore(skips.store, ({ waiting, isAway }) => (isAway ? waiting.length : 0));

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
