/** The last batch item added, as the specification keeps it. */
import type { ClientState } from "@/shared/store/schema";
import { lastRow, piecesAdded, type Session } from "./session";

export type LastAdded = NonNullable<ClientState["lastBatchItemAdded"]>;

/**
 * What is kept after an act of this sitting. `before` is what was kept when it began: the pieces
 * of the same batch go on counting, and it stands again when everything was taken back.
 */
export function lastAddedOf(session: Session, before: LastAdded | null): LastAdded | null {
  const row = lastRow(session);
  if (!row) return before;
  const { draft } = row;
  const earlier = before?.batchId === draft.batchId ? before.totalItemsAdded : 0;
  return {
    batchId: draft.batchId,
    batchName: draft.batchName,
    totalItemsAdded: Math.max(0, earlier + piecesAdded(session, draft.batchId)),
    quantity: row.quantity,
    itemName: draft.itemName,
    itemNumber: draft.itemNumber,
    itemType: draft.itemType,
    color: draft.colorName,
    timestamp: new Date(row.addedAt).toISOString(),
  };
}
