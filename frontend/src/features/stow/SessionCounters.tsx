import { formatCount, formatNumber } from "@/shared/lib/format";
import { valueText } from "@/shared/lib/worth";
import { counters, type Session } from "./session";

/** What this sitting brought so far. */
export function SessionCounters({ session, currency }: { session: Session; currency?: string }) {
  const { pieces, lots, bulk, perMinute, value } = counters(session);
  const figures = [
    ["Items", formatCount(pieces)],
    ["Lots", formatCount(lots)],
    ...(bulk > 0 ? [["Bulk", formatCount(bulk)]] : []),
    ["Per minute", perMinute === null ? "–" : formatNumber(perMinute, perMinute < 10 ? 1 : 0)],
    ["Value", valueText(value, currency)],
  ];
  return (
    <dl aria-label="This sitting" className="flex flex-wrap gap-x-6 gap-y-1">
      {figures.map(([name, figure]) => (
        <div key={name} className="flex items-baseline gap-2">
          <dt className="text-muted text-xs">{name}</dt>
          <dd className="font-semibold text-base tabular-nums">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
