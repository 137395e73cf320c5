/** Pieces that were put off: in the batch as unsorted lots, each with its photo. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import type { BatchItem } from "./model";
import { blobOf } from "./skips";

/** As the server names one. */
export const SKIPPED_NAME = "Skipped piece";

/** Most that are shown at once; nobody looks through more. */
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

/** The photo of a skipped piece as a picture to be recognised again. */
export const photoOf = ({ image_url }: BatchItem): Blob => blobOf(image_url);
