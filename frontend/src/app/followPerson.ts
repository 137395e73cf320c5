import type { QueryClient } from "@tanstack/react-query";
import { currentUser, onSession } from "@/features/auth/public";
import { onLineBack } from "@/shared/lib/line";
import { onPersonBack } from "@/shared/lib/person";
import { toast } from "@/shared/ui/toast";

/** What one person's queries and toasts hold is nothing for the next one. */
export function followPerson(client: QueryClient): void {
  let shown = currentUser()?.id;
  for (const onReturn of [onPersonBack, onLineBack]) {
    onReturn(() => void client.invalidateQueries());
  }
  onSession(({ user, keepsPage }) => {
    if (keepsPage || user?.id === shown) return;
    shown = user?.id;
    client.clear();
    toast.removeAll();
  });
}
