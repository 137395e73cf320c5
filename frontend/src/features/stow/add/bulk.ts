/**
 * Pieces below the lowest value of a lot: they are counted into the bulk tray, as one row of the
 * batch, so that the batch includes them. The row can be undone, and stowed where bulk is kept.
 */

import type { BatchHead } from "@/features/catalog/public";
import { BULK_NAME, type Condition, isBulk } from "../model";
import { batchOfDraft, type Draft, type Row } from "../session/session";

export function bulkDraft(batch: BatchHead, condition: Condition): Draft {
  return {
    ...batchOfDraft(batch),
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

/** Whether more bulk pieces go into this row. */
export function isOpenBulk({ draft, known, stow, problem }: Row, asked: Draft): boolean {
  const isSame = draft.batchId === asked.batchId && draft.condition === asked.condition;
  return isBulk(draft) && isSame && !stow && !known?.isStowed && problem?.what !== "add";
}
