/** The last added batch item, in the specification's form. */
import type { ClientState } from "@/shared/store/schema";
import { lastRow, piecesNow, type Session } from "./session";

export type LastAdded = NonNullable<ClientState["lastBatchItemAdded"]>;

/**
 * The value after an act of this session. If everything was undone, the value `before` the session
 * is restored. The total is the batch's quantity now: its pieces at the first add, plus those of
 * the session.
 */
export function lastAddedOf(session: Session, before: LastAdded | null): LastAdded | null {
  const row = lastRow(session);
  if (!row) return before;
  const { draft } = row;
  return {
    batchId: draft.batchId,
    batchName: draft.batchName,
    totalItemsAdded: piecesNow(session, draft.batchId),
    quantity: row.quantity,
    itemName: draft.itemName,
    itemNumber: draft.itemNumber,
    itemType: draft.itemType,
    color: draft.colorName,
    timestamp: new Date(row.addedAt).toISOString(),
  };
}
