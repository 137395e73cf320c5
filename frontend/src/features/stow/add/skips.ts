/**
 * The photos of skipped pieces. The piece is put away when X is pressed, so its photo is the only
 * record: the outbox keeps it until the server has stored it once, or it is refused at once.
 */

import type { QueryClient } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { pathTo } from "@/shared/lib/paths";
import { rowsWith } from "@/shared/lib/records";
import { invalidate } from "@/shared/lib/tags";
import { outbox } from "@/shared/outbox/theOutbox";
import { wireOf } from "@/shared/outbox/unsent";
import { tellFailure } from "@/shared/ui/tellFailure";
import { toast } from "@/shared/ui/toast";
import type { BatchItem, Condition } from "../model";

const SKIPS = "skips";
const STALE = ["batches", ["batchItems", "list"], ["batchItems", "skipped"]] as const;

/** Skips a piece with its photo. Rejects where there is no room to keep it. */
export function skipPiece(skipped: {
  batch: number;
  picture: Blob;
  condition: Condition;
}): Promise<unknown> {
  const { batch, picture, condition } = skipped;
  const file = new File([picture], "piece.jpg", { type: picture.type });
  return outbox.post([
    {
      ...wireOf("post", "batches/{id}/skip", { path: { id: batch }, form: { file, condition } }),
      kind: SKIPS,
      rows: [`skips of batch ${batch}`],
      words: "Skip a piece, with its photo",
      to: pathTo("batches", { batch }),
      stale: STALE,
    },
  ]);
}

/** Tells of each photo that is stored. Returns a function that stops it. */
export const tellSkips = (client: QueryClient): (() => void) =>
  outbox.onOutcome(SKIPS, ({ data }) => {
    for (const { id } of rowsWith<BatchItem>(data, "id")) tell(client, id);
  });

function tell(client: QueryClient, id: number): void {
  const takeBack = () => {
    const refresh = () => void invalidate(client, ...STALE);
    api.delete("batchItems/{id}", { path: { id } }).then(refresh, tellFailure);
  };
  toast.success("Skipped, its photo is kept in the batch", {
    action: { label: "Undo", run: takeBack },
  });
}
