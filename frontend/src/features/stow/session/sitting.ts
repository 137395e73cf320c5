/** The session of this tab. It survives leaving the page, so that unsent rows are still sent. */
import { useStore } from "zustand";
import { onPageLeft } from "@/shared/outbox/keptSteps";
import { outbox } from "@/shared/outbox/theOutbox";
import { clientStore } from "@/shared/store/clientStore";
import type { ClientState } from "@/shared/store/schema";
import { StowSession } from "./sender";
import { lastRow, piecesNow, type Row, type Session, standing } from "./session";

export const sitting = new StowSession(outbox, () => clientStore.get("options.listWithStow"));

/** The last added item when the session began. */
let before: LastAdded | null = null;

onPageLeft(
  () => sitting.keepSteps(),
  () => sitting.dropStepsOfPage(),
);
// A hidden page may end at any time, and what is answered meanwhile changes what its steps need.
sitting.store.subscribe(() => {
  if (document.visibilityState === "hidden") sitting.keepSteps();
});

sitting.store.subscribe((now, previous) => {
  // With rows from before the session, the item is one of them.
  const isFirst = previous.startedAt === null && now.startedAt !== null;
  if (isFirst) before = lastRow(previous) ? null : clientStore.get("lastBatchItemAdded");
  if (now.startedAt === null || now.rows === previous.rows) return;
  clientStore.set("lastBatchItemAdded", lastAddedOf(now, before));
});

export function useSitting<Slice>(read: (session: Session) => Slice): Slice {
  return useStore(sitting.store, read);
}

const countUnsent = (session: Session) =>
  session.rows.filter((row) => standing(row, session.isAway) === "unsent").length;

export const useUnsentCount = () => useSitting(countUnsent);

/** The state of a row, for its mark. */
export const useStanding = (row: Row) => useSitting(({ isAway }) => standing(row, isAway));

/** The last added batch item, in the specification's form. */
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
