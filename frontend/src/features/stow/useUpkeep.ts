import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { preloadDialog } from "@/shared/ui/Dialog";
import { resumeLookups, retryLookups } from "./lookups";
import { sitting } from "./sitting";
import { resumeSkips, sendSkips } from "./skips";

/** Background work of the page: sends unsent rows when possible. */
export function useUpkeep(): void {
  const client = useQueryClient();
  useEffect(() => {
    preloadDialog();
    void sitting.resume();
    void resumeLookups(client);
    void resumeSkips(client);
    const onOnline = () => {
      sitting.sendNow();
      retryLookups(client);
      void sendSkips(client);
    };
    window.addEventListener("online", onOnline);
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
    };
  }, [client]);
}
