import { formatCount, formatNumber } from "@/shared/lib/format";
import { worthParts } from "@/shared/lib/worth";
import { counters, type Session } from "./session";

/** The totals of this session. */
export function SessionCounters({ session, currency }: { session: Session; currency?: string }) {
  const { pieces, lots, bulk, perMinute, worth } = counters(session);
  const figures = [
    ["Pieces", formatCount(pieces)],
    ["Lots", formatCount(lots)],
    ...(bulk > 0 ? [["Bulk", formatCount(bulk)]] : []),
    ["Per minute", perMinute === null ? "–" : formatNumber(perMinute, perMinute < 10 ? 1 : 0)],
    ["Value", ...worthParts(worth, currency)],
  ];
  return (
    <dl aria-label="This session" className="flex flex-wrap gap-x-6 gap-y-1">
      {figures.map(([name, figure, beside]) => (
        <div key={name} className="flex items-baseline gap-2">
          <dt className="text-muted text-xs">{name}</dt>
          <dd className="font-semibold text-base tabular-nums">
            {figure}
            {beside && <span className="font-normal text-muted text-xs">{beside}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
