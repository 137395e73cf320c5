import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { catalogQueries } from "@/features/catalog/public";
import { marketplaceQueries } from "@/features/marketplace/public";
import { api } from "@/shared/api/client";
import { invalidate } from "@/shared/lib/tags";
import { outbox } from "@/shared/outbox/theOutbox";
import { preloadDialog } from "@/shared/ui/Dialog";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { addTypedAhead, LOOKUPS, lookUpWith, showLookups } from "../add/lookups";
import { tellSkips } from "../add/skips";
import { sitting } from "./sitting";
import { figuresOf, stopwatch } from "./stopwatch";

/** Interval of saving; an interrupted session loses at most this much of its figures. */
const EVERY_MS = 60_000;
/** By then the page has what it needs at once. */
const AT_REST_MS = 3_000;

/** Background work of the page: resumes what a reload left, keeps the figures, fetches prices. */
export function useUpkeep(): void {
  useSittingRecord();
  usePricesOfAdded();
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

/** Waits this long for further adds: one request for many. */
const TOGETHER_MS = 3_000;
const MOST = 500;

/**
 * Fetches prices in the background for lots added without one. A store must be connected. *Get
 * prices* of the batch fetches the prices that fail here.
 */
function usePricesOfAdded(): void {
  const client = useQueryClient();
  const connection = useSideQuery(marketplaceQueries.connection(), "your store connection");
  const isConnected = connection?.state === "ok" || connection?.state === "untested";
  useEffect(() => {
    if (!isConnected) return;
    const wanted = new Map<string, { lot_id: number; condition: "N" | "U"; quantity: number }>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      const lots = [...wanted.values()].slice(0, MOST);
      wanted.clear();
      api.post("marketplace/priceRun", { body: { lots }, retry: false }).then(
        () => invalidate(client, marketplaceQueries.priceRun().queryKey),
        () => undefined,
      );
    };
    const stop = sitting.onOutcome(({ did, row, problem }) => {
      if (problem || did !== "add" || row.draft.price !== null) return;
      const { lotId, condition } = row.draft;
      if (lotId === null) return;
      wanted.set(`${lotId} ${condition}`, { lot_id: lotId, condition, quantity: row.quantity });
      clearTimeout(timer);
      timer = setTimeout(ask, TOGETHER_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
      if (wanted.size > 0) ask();
    };
  }, [client, isConnected]);
}
