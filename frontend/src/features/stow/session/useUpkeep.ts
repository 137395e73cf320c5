import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "@/shared/api/client";
import { invalidate } from "@/shared/lib/tags";
import { preloadDialog } from "@/shared/ui/Dialog";
import { resumeLookups } from "../add/lookups";
import { tellSkips } from "../add/skips";
import { sitting } from "./sitting";
import { figuresOf, stopwatch } from "./stopwatch";

/** Interval of saving; an interrupted session loses at most this much of its figures. */
const EVERY_MS = 60_000;

/** Background work of the page: sends what a reload left, reports it, and keeps the figures. */
export function useUpkeep(): void {
  useSittingRecord();
  const client = useQueryClient();
  useEffect(() => {
    preloadDialog();
    void sitting.resume();
    void resumeLookups(client);
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

/** Sends the totals of the session to the server, every minute and on leaving. */
function useSittingRecord(): void {
  useEffect(() => {
    let told = 0;
    const tell = () => {
      const counts = stopwatch.store.getState();
      const session = sitting.store.getState();
      const figures = figuresOf(counts, session);
      if (!figures || session.actedAt === told) return;
      told = session.actedAt ?? 0;
      // No retry and no error message: the figures are not important enough.
      api.post("stationSittings", { body: figures, retry: false }).catch(() => undefined);
    };
    const timer = setInterval(tell, EVERY_MS);
    return () => {
      clearInterval(timer);
      tell();
    };
  }, []);
}
