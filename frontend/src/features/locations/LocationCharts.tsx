import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { useMemo } from "react";
import { counted, formatCount, formatWeight } from "@/shared/lib/format";
import { unweighedText } from "@/shared/lib/weight";
import { Bars } from "@/shared/ui/Bars";
import { Card } from "@/shared/ui/Card";
import { EmptyState, ErrorState, Loading } from "@/shared/ui/states";
import { type FillStep, fillSteps, roomByType, type TypeRoom } from "./fillCharts";
import type { MapCell } from "./model";
import { locationQueries } from "./queries";

/** How full the locations are that the list's filters leave, and what each kind still takes. */
export function LocationCharts({
  params,
}: {
  params: Record<string, string | number | undefined>;
}) {
  const { data, error, refetch } = useQuery(locationQueries.map(params));
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  if (data.length === 0) return <EmptyState title="No locations to draw" />;
  return <Drawn cells={data} />;
}

function Drawn({ cells }: { cells: readonly MapCell[] }) {
  const { steps, unlimited } = useMemo(() => fillSteps(cells), [cells]);
  const rooms = useMemo(() => roomByType(cells), [cells]);
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <Card
        title="How full they are"
        description="Locations by the limit that is nearest, of pieces or of weight"
      >
        <Histogram steps={steps} />
        {unlimited > 0 && (
          <p className="mt-2 text-muted text-xs">
            Not in it: {formatCount(unlimited)} that hold something and have no limit.
          </p>
        )}
      </Card>
      <Card title="Free room by container type" description="Pieces that still go in">
        <Bars
          label="Free room by container type"
          rows={rooms.map((room) => ({
            id: room.name ?? "none",
            name: room.name ?? "No container type",
            amount: room.pieces,
            text: room.takes === 0 ? "no limit" : counted(room.pieces, "piece"),
            note: noteOf(room),
          }))}
        />
      </Card>
    </div>
  );
}

/** "of 5,400 · 2.1 kg · 60 locations, 3 of them without a limit". */
function noteOf({ locations, takes, grams, unweighed, unlimited }: TypeRoom): string {
  const places = counted(locations, "location");
  return [
    takes > 0 && `of ${formatCount(takes)}`,
    grams > 0 && formatWeight(grams),
    unweighedText(unweighed),
    takes > 0 && unlimited > 0 ? `${places}, ${formatCount(unlimited)} without a limit` : places,
  ]
    .filter(Boolean)
    .join(" · ");
}

const HEIGHT = 140;

/** Columns with their counts as text: it reads without colours, and by a screen reader. */
function Histogram({ steps }: { steps: readonly FillStep[] }) {
  const most = Math.max(...steps.map(({ locations }) => locations), 1);
  return (
    <ol className="flex items-stretch gap-1">
      {steps.map(({ name, locations, isTight }) => (
        <li
          key={name}
          className="flex min-w-0 flex-1 flex-col items-center justify-end gap-1 text-center"
        >
          <span className="font-medium text-sm tabular-nums">{formatCount(locations)}</span>
          <span
            aria-hidden="true"
            style={{ height: locations === 0 ? 2 : Math.max(4, (HEIGHT * locations) / most) }}
            className={clsx(
              "w-full max-w-20 rounded-t-control",
              locations === 0
                ? "bg-line"
                : name === "Over"
                  ? "bg-danger-solid"
                  : isTight
                    ? "bg-warning"
                    : "bg-accent",
            )}
          />
          <span className="h-9 text-[11px] text-muted leading-tight">{name}</span>
        </li>
      ))}
    </ol>
  );
}
