import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { marketplaceQueries } from "@/features/marketplace/public";
import { api } from "@/shared/api/client";
import { invalidate } from "@/shared/lib/tags";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { sitting } from "./sitting";

/** Waits this long for further adds: one request for many. */
const TOGETHER_MS = 3_000;
const MOST = 500;

/**
 * Fetches prices in the background for lots added without one. A store must be connected. *Get
 * prices* of the batch fetches the prices that fail here.
 */
export function usePricesOfAdded(): void {
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
