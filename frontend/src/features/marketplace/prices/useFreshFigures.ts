import { useEffect } from "react";
import { followQuietly } from "@/features/jobs/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { marketplaceQueries } from "../queries";

/** The figures of lots in a condition that newer ones were asked for. */
const asked = new Set<string>();

/**
 * Has the figures of a lot fetched whose price is recommended, where they are old and a store is
 * connected. The server refuses where no call is left.
 */
export function useFreshFigures(
  lot: { id: number; bricklinkSyncedAt: string | null; figures_are_old: boolean } | null,
  condition: "N" | "U",
): void {
  const connection = useSideQuery(marketplaceQueries.connection(), "your store connection");
  const isConnected = connection?.state === "ok" || connection?.state === "untested";
  const canAsk = isConnected && connection.has_prices;
  const id = lot?.id;
  const at = lot?.bricklinkSyncedAt;
  const isOld = lot?.figures_are_old;
  useEffect(() => {
    const key = `${id} ${condition} ${at}`;
    if (!canAsk || id === undefined || !isOld || asked.has(key)) return;
    asked.add(key);
    const lots = [{ lot_id: id, condition, quantity: 1 }];
    api.post("marketplace/priceRun", { body: { lots }, retry: false }).then(
      (answer) => {
        const run = one(answer);
        if (run.job_id && run.lots_left > 0) followQuietly(run.job_id);
      },
      () => undefined,
    );
  }, [canAsk, id, at, isOld, condition]);
}
