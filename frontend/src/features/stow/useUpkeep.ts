import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { preloadDialog } from "@/shared/ui/Dialog";
import { pendingLookups, retryLookups } from "./lookups";
import { pendingCount } from "./session";
import { sitting } from "./sitting";

/** What the page does without being seen: asks before unsent rows are lost, sends when it can. */
export function useUpkeep(): void {
  const client = useQueryClient();
  useEffect(() => {
    preloadDialog();
    const onLeave = (event: BeforeUnloadEvent) => {
      const pending = pendingCount(sitting.store.getState()) + pendingLookups();
      if (pending > 0) event.preventDefault();
    };
    const onOnline = () => {
      sitting.sendNow();
      retryLookups(client);
    };
    window.addEventListener("online", onOnline);
    window.addEventListener("beforeunload", onLeave);
    const stop = sitting.onOutcome(({ did, row, problem }) => {
      if (problem) return;
      const stowed = did === "stow" || row.known?.isStowed || did === "remove";
      if (stowed) void client.invalidateQueries({ queryKey: ["inventory"] });
      for (const key of [
        ["batches", "list"],
        ["batches", "detail"],
        ["batchItems", "list"],
      ]) {
        void client.invalidateQueries({ queryKey: key });
      }
    });
    return () => {
      stop();
      window.removeEventListener("online", onOnline);
      window.removeEventListener("beforeunload", onLeave);
    };
  }, [client]);
}
