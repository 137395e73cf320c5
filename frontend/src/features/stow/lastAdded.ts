/** The last batch item added, as the specification keeps it. */
import type { ClientState } from "@/shared/store/schema";
import { lastRow, piecesAdded, type Session } from "./session";

export type LastAdded = NonNullable<ClientState["lastBatchItemAdded"]>;

/**
 * What is kept after an act of this sitting; `before`, what was kept when it began, stands again
 * when everything was taken back. The total is what the batch holds now: the pieces that it had
 * when it was first added to, and what the sitting brought.
 */
export function lastAddedOf(session: Session, before: LastAdded | null): LastAdded | null {
  const row = lastRow(session);
  if (!row) return before;
  const { draft } = row;
  const oldest = session.rows.findLast((each) => each.draft.batchId === draft.batchId) ?? row;
  const total = oldest.draft.batchPieces + piecesAdded(session, draft.batchId);
  return {
    batchId: draft.batchId,
    batchName: draft.batchName,
    totalItemsAdded: Math.max(0, total),
    quantity: row.quantity,
    itemName: draft.itemName,
    itemNumber: draft.itemNumber,
    itemType: draft.itemType,
    color: draft.colorName,
    timestamp: new Date(row.addedAt).toISOString(),
  };
}
