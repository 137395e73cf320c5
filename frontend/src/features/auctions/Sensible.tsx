import { formatMoney } from "@/shared/lib/format";
import type { Worth } from "./model";
import { SITE_CURRENCY } from "./rules";

/** Up to where a bid makes sense; why, in its title. */
export function Sensible({ worth }: { worth: Worth }) {
  return <span title={worth.reason}>{words(worth)}</span>;
}

function words({ highest_bid }: Worth) {
  if (highest_bid === null) return <span className="text-muted">needs shipping</span>;
  if (Number(highest_bid) === 0) return <span className="text-danger">no bid at all</span>;
  return <strong className="font-semibold">{formatMoney(highest_bid, SITE_CURRENCY)}</strong>;
}
