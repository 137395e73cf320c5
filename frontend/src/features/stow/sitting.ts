/** The session of this tab. It survives leaving the page, so that unsent rows are still sent. */
import { useStore } from "zustand";
import { createKeeper } from "@/shared/lib/keeper";
import { onPersonForgotten } from "@/shared/lib/person";
import { clientStore } from "@/shared/store/clientStore";
import { type LastAdded, lastAddedOf } from "./lastAdded";
import { stowPort } from "./port";
import { createStowSession } from "./sender";
import { type Session, standing } from "./session";

export const sitting = createStowSession(stowPort, createKeeper("adds"));

/** The last added item when the session began. */
let before: LastAdded | null = null;

sitting.store.subscribe((now, previous) => {
  if (previous.startedAt === null) before = clientStore.get("lastBatchItemAdded");
  if (now.startedAt === null || now.rows === previous.rows) return;
  clientStore.set("lastBatchItemAdded", lastAddedOf(now, before));
});

onPersonForgotten(sitting.forget);

export function useSitting<Slice>(read: (session: Session) => Slice): Slice {
  return useStore(sitting.store, read);
}

const countUnsent = (session: Session) =>
  session.rows.filter((row) => standing(row) === "unsent").length;

export const useUnsentCount = () => useSitting(countUnsent);
