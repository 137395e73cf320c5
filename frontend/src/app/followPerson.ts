import type { QueryClient } from "@tanstack/react-query";
import { currentUser, onSession, renewRole, seatOf, type User } from "@/features/auth/public";
import { onLineBack } from "@/shared/lib/line";
import { log } from "@/shared/lib/log";
import { onPersonBack } from "@/shared/lib/person";
import { problemText } from "@/shared/lib/problem";
import { toast } from "@/shared/ui/toast";

/** The page itself is loaded first. */
const AFTER_THE_PAGE_MS = 3_000;

const seat = (user: User | null) => user && seatOf(user);

/** What one person's queries and toasts hold is nothing for the next one. */
export function followPerson(client: QueryClient): void {
  let shown = seat(currentUser());
  for (const onReturn of [onPersonBack, onLineBack]) {
    onReturn(() => void client.invalidateQueries());
  }
  onSession(({ user, keepsPage }) => {
    if (keepsPage || seat(user) === shown) return;
    shown = seat(user);
    client.clear();
    toast.removeAll();
  });
  setTimeout(() => {
    if (currentUser()) renewRole().catch((error) => log.warn(problemText(error)));
  }, AFTER_THE_PAGE_MS);
}
