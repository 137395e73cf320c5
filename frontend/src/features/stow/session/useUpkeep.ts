import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { catalogQueries } from "@/features/catalog/public";
import { api } from "@/shared/api/client";
import { outbox } from "@/shared/outbox/theOutbox";
import { preloadDialog } from "@/shared/ui/Dialog";
import { addTypedAhead, LOOKUPS, lookUpWith, showLookups } from "../add/lookups";
import { tellSkips } from "../add/skips";
import { sitting } from "./sitting";
import { figuresOf, stopwatch } from "./stopwatch";

/** Interval of saving; an interrupted session loses at most this much of its figures. */
const EVERY_MS = 60_000;
/** By then the page has what it needs at once. */
const AT_REST_MS = 3_000;

/** Background work of the page: takes up what a reload left, and keeps the figures. */
export function useUpkeep(): void {
  useSittingRecord();
  const client = useQueryClient();
  useEffect(() => {
    preloadDialog();
    lookUpWith(client);
    outbox.planBy(LOOKUPS, addTypedAhead);
    void sitting.resume();
    sitting.isShown = true;
    const stops = [showLookups(), tellSkips(client)];
    const timer = setTimeout(() => client.prefetchQuery(catalogQueries.common()), AT_REST_MS);
    return () => {
      clearTimeout(timer);
      sitting.isShown = false;
      for (const stop of stops) stop();
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
