import { useQueryClient } from "@tanstack/react-query";
import { problemText } from "@/shared/lib/problem";
import { useCards } from "@/shared/scanner/scans";
import { toast } from "@/shared/ui/toast";
import { orderQueries } from "./queries";
import { useShowOrders } from "./useOrdersPath";

/** Scanning the card of a tray, on any page, opens the tray's order. */
export function TrayCards() {
  const client = useQueryClient();
  const showOrders = useShowOrders();
  const open = async (tray: string) => {
    const found = await client.fetchQuery(orderQueries.inTray(tray));
    const order = found.find(({ walk_id }) => walk_id !== null) ?? found[0];
    if (!order) {
      toast.info(`Tray ${tray} has no order`, { id: "scan" });
      return;
    }
    const show = () => showOrders({ order: order.id });
    // What is being typed in a dialog is worth more than the way.
    if (!document.querySelector("[role=dialog]")) return show();
    const action = { label: "Open it", run: show };
    toast.info(`Tray ${tray}: order ${order.number}`, { id: "scan", action });
  };
  useCards(({ kind, code }) => {
    // The station's trays have numbers.
    if (kind !== "TRAY" || !/^[A-Z]{1,2}$/.test(code)) return false;
    open(code).catch((error: unknown) => toast.error(problemText(error), { id: "scan" }));
    return true;
  });
  return null;
}
