import { ImageOff, Timer } from "lucide-react";
import { UnsentCount } from "@/features/outbox/public";
import { formatCount, formatNumber } from "@/shared/lib/format";
import { worthParts } from "@/shared/lib/worth";
import { Button } from "@/shared/ui/Button";
import type { Lookup } from "../add/lookups";
import type { Station } from "../useStation";
import { AddsList } from "./AddsList";
import { counters, type Row, type Session } from "./session";

/** The rows that were added last, and the totals of the session. */
export function ThisSession(props: {
  station: Station;
  rows: readonly Row[];
  lookups: readonly Lookup[];
  currency: string | undefined;
}) {
  const { station, rows, lookups, currency } = props;
  return (
    <section
      aria-label="This session"
      className="flex flex-col border-line border-t bg-surface max-lg:order-4 lg:col-span-3 lg:max-h-[clamp(7rem,calc(100dvh_-_49rem),20rem)] lg:min-h-0"
    >
      <div className="flex flex-wrap items-center justify-between gap-3 border-line border-b px-4 py-2">
        <h2 className="font-semibold text-sm">Last added</h2>
        <span className="sm:hidden">
          <UnsentCount />
        </span>
        <SessionCounters session={station.wholeSession} currency={currency} />
        <span className="flex flex-wrap gap-2">
          <Button
            size="sm"
            variant="ghost"
            icon={Timer}
            onClick={() => station.setOpened({ what: "stopwatch" })}
          >
            Stopwatch
          </Button>
          {station.batches.batch && (
            <Button
              size="sm"
              variant="ghost"
              icon={ImageOff}
              onClick={() => station.setOpened({ what: "skipped" })}
            >
              Skipped
            </Button>
          )}
        </span>
      </div>
      <div className="relative lg:min-h-0 lg:overflow-y-auto">
        <AddsList
          rows={rows}
          lookups={lookups}
          onEdit={station.editLookup}
          currency={currency}
          onOpen={station.setOpened}
        />
      </div>
    </section>
  );
}

/** The totals of this session. */
function SessionCounters({ session, currency }: { session: Session; currency?: string }) {
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
