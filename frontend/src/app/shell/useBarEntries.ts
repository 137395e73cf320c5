import { orderQueries } from "@/features/orders/public";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { barEntries, type NavEntry, ordersEntry } from "./navigation";

const ASKED_AGAIN_AFTER = 60_000;

/** The bar's entries: with Orders while a store is connected or an order exists. */
export function useBarEntries(): readonly NavEntry[] {
  const data = useSideQuery(
    { ...orderQueries.waiting(), staleTime: ASKED_AGAIN_AFTER },
    "your orders",
  );
  return data?.is_shown ? [...barEntries, ordersEntry] : barEntries;
}
