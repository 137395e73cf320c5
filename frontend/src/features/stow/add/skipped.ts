/** Skipped pieces: unsorted lots of the batch, each with its photo. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import type { BatchItem } from "../model";

/** The row in the server's form. */
export const SKIPPED_NAME = "Skipped piece";

/** The most that are shown at once. */
const MOST = 100;

export const skippedQuery = (batch: number) =>
  queryOptions({
    queryKey: ["batchItems", "skipped", batch],
    queryFn: async ({ signal }) => {
      const { data } = await api.get("batchItems", {
        query: {
          batch,
          item_type: "UNSORTED_LOT",
          state: "new",
          ordering: "-createdAt",
          page_size: MOST,
        },
        signal,
      });
      return data.filter(({ image_url }) => image_url.startsWith("data:image/"));
    },
  });

/** The photo of a skipped piece as a picture for the recogniser. */
export function photoOf({ image_url: address }: BatchItem): Blob {
  const type = /^data:([^;,]*)/.exec(address)?.[1];
  const bytes = atob(address.slice(address.indexOf(",") + 1));
  return new Blob([Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))], {
    type: type || "image/jpeg",
  });
}
