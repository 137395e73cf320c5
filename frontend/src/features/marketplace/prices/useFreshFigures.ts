import { useEffect } from "react";
import { followQuietly } from "@/features/jobs/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { marketplaceQueries } from "../queries";

const OLD_MS = 6 * 60 * 60 * 1000;
/** When the figures of a lot in a condition were asked for. */
const asked = new Map<string, number>();

/**
 * Has the figures of a lot fetched whose price is recommended, where they are older than six hours
 * and a store is connected. The server refuses where no call is left.
 */
export function useFreshFigures(
  lot: { id: number; bricklinkSyncedAt: string | null } | null,
  condition: "N" | "U",
): void {
  const connection = useSideQuery(marketplaceQueries.connection(), "your store connection");
  const isConnected = connection?.state === "ok" || connection?.state === "untested";
  const canAsk = isConnected && connection.has_prices;
  const id = lot?.id;
  const at = lot?.bricklinkSyncedAt;
  useEffect(() => {
    if (!canAsk || id === undefined || !at || Date.now() - Date.parse(at) < OLD_MS) return;
    const key = `${id} ${condition}`;
    if (Date.now() - (asked.get(key) ?? 0) < OLD_MS) return;
    asked.set(key, Date.now());
    const lots = [{ lot_id: id, condition, quantity: 1 }];
    api.post("marketplace/priceRun", { body: { lots }, retry: false }).then(
      (answer) => {
        const run = one(answer);
        if (run.job_id && run.lots_left > 0) followQuietly(run.job_id);
      },
      () => undefined,
    );
  }, [canAsk, id, at, condition]);
}
