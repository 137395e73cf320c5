import { useSideQuery } from "@/shared/ui/sideQuery";
import type { Listing } from "./model";
import { auctionQueries } from "./queries";
import { useEndAlerts } from "./useEndAlerts";

const NONE: readonly Listing[] = [];

/** Announces the ends of watched listings while another page than Buy LEGO is open. */
export function EndWatch() {
  const data = useSideQuery(auctionQueries.watched(), "the auctions you watch");
  useEndAlerts(data ?? NONE);
  return null;
}
