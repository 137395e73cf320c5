/** Pieces that were put off: in the batch as unsorted lots, each with its photo. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { BatchItem, Condition } from "./model";

/** As the server names one. */
export const SKIPPED_NAME = "Skipped piece";

/** Most that are shown at once; nobody looks through more. */
const MOST = 100;

export const skippedQuery = (batch: number) =>
  queryOptions({
    queryKey: ["batchItems", "skipped", batch],
    queryFn: async ({ signal }) => {
      const params = {
        batch,
        item_type: "UNSORTED_LOT",
        state: "new",
        ordering: "-createdAt",
        page_size: MOST,
      };
      const { data } = await api.get<BatchItem>("batchItems", params, { signal });
      return data.filter(({ image_url }) => image_url.startsWith("data:image/"));
    },
  });

/** Puts a piece off with its photo; the batch's item that stands for it. */
export async function skipPiece(
  batch: number,
  picture: Blob,
  condition: Condition,
): Promise<BatchItem> {
  const form = new FormData();
  form.append("file", picture, "piece.jpg");
  form.append("condition", condition);
  return one(await api.post<BatchItem>(`batches/${batch}/skip`, form));
}

/** The photo of a skipped piece as a picture to be recognised again. */
export function photoOf({ image_url }: BatchItem): Blob {
  const bytes = atob(image_url.slice(image_url.indexOf(",") + 1));
  return new Blob([Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))], { type: "image/jpeg" });
}
