/**
 * Pieces below the lowest value of a lot: they are counted into the bulk tray, as one row of the
 * batch, so that the batch includes them. The row can be undone, and stowed where bulk is kept.
 */
import { type BatchHead, BULK_NAME, type Condition, isBulk } from "./model";
import { type Draft, type Row, type Session, withAdded, withQuantity } from "./session";

export function bulkDraft(batch: BatchHead, condition: Condition): Draft {
  return {
    batchId: batch.id,
    batchName: batch.name,
    batchPieces: batch.batch_item_item_count,
    lotId: null,
    itemNumber: "",
    itemName: BULK_NAME,
    itemType: "UNSORTED_LOT",
    imageUrl: null,
    colorId: 0,
    colorName: "",
    colorHtml: null,
    condition,
    price: null,
  };
}

/**
 * Adds pieces to the batch's bulk row, which becomes the newest row; the first pieces create it. A
 * stowed bulk row is closed, and the next pieces create another one.
 */
export function withBulk(
  session: Session,
  bulk: { key: string; draft: Draft; pieces: number },
  now: number,
): Session {
  const { key, draft, pieces } = bulk;
  const open = session.rows.find((row) => isOpen(row, draft));
  if (!open) {
    return withAdded(session, { key, draft, quantity: pieces, bin: null, stow: false }, now);
  }
  const others = session.rows.filter((row) => row !== open);
  const moved = { ...session, rows: [{ ...open, addedAt: now }, ...others] };
  return withQuantity(moved, open.key, open.quantity + pieces, now);
}

function isOpen({ draft, known, stow, problem }: Row, asked: Draft): boolean {
  const isSame = draft.batchId === asked.batchId && draft.condition === asked.condition;
  return isBulk(draft) && isSame && !stow && !known?.isStowed && problem?.what !== "add";
}
