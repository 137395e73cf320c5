import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { invalidate } from "@/shared/lib/tags";
import { preloadDialog } from "@/shared/ui/Dialog";
import { resumeLookups } from "./lookups";
import { sitting } from "./sitting";
import { skips, tellSkips } from "./skips";

/** Background work of the page: sends what a reload left, and reports it. */
export function useUpkeep(): void {
  const client = useQueryClient();
  useEffect(() => {
    preloadDialog();
    void sitting.resume();
    void resumeLookups(client);
    void skips.resume();
    const stopTelling = tellSkips(client);
    const stop = sitting.onOutcome(({ did, row, problem }) => {
      if (problem) return;
      const stowed = did === "stow" || row.known?.isStowed || did === "remove";
      if (stowed) void invalidate(client, "inventory");
      const shown = ["batchItems", "list"] as const;
      void invalidate(client, ["batches", "list"], ["batches", "detail"], shown);
    });
    return () => {
      stop();
      stopTelling();
    };
  }, [client]);
}
