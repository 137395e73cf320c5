import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { formatCount, formatDateTime } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { quantile, type SittingFigures, useCounts } from "./stopwatch";

const SITTINGS = 20;

const sittingsQuery = () =>
  queryOptions({
    queryKey: ["stationSittings"],
    queryFn: async ({ signal }) =>
      (
        await api.get<SittingFigures & { id: number }>(
          "stationSittings",
          { page_size: SITTINGS },
          { signal },
        )
      ).data,
  });

const seconds = (ms: number | null) => (ms === null ? "–" : `${(ms / 1000).toFixed(1)} s`);
const share = (part: number, all: number) =>
  all === 0 ? "–" : `${Math.round((100 * part) / all)} %`;
const perAdd = (keys: number, adds: number) => (adds === 0 ? "–" : (keys / adds).toFixed(1));

/** How quick this sitting is, and the ones before it. */
export function StopwatchDialog({ onClose }: { onClose: () => void }) {
  const counts = useCounts();
  const before = useQuery(sittingsQuery());
  const looked = counts.adds + counts.notFound;
  const figures = [
    ["Picture to add, half of them within", seconds(quantile(counts.acceptMs, 0.5))],
    ["Nine of ten within", seconds(quantile(counts.acceptMs, 0.9))],
    ["Keys per add", perAdd(counts.keys, counts.adds)],
    ["Taken back", share(counts.undos, counts.adds)],
    ["Not found", share(counts.notFound, looked)],
  ];
  return (
    <Dialog
      open
      onClose={onClose}
      title="Stopwatch"
      description={`This sitting: ${formatCount(counts.adds)} adds, ${formatCount(counts.captures)} pictures`}
      size="lg"
      footer={
        <Button autoFocus onClick={onClose}>
          Close
        </Button>
      }
    >
      <dl className="mb-4 grid grid-cols-2 gap-3 sm:grid-cols-5">
        {figures.map(([name, figure]) => (
          <div key={name} className="flex flex-col-reverse justify-end">
            <dt className="text-muted text-xs">{name}</dt>
            <dd className="font-bold text-xl tabular-nums">{figure}</dd>
          </div>
        ))}
      </dl>
      <Chart sittings={before.data ?? []} />
    </Dialog>
  );
}

/** Pieces per minute of the last sittings, the newest right. */
function Chart({ sittings }: { sittings: readonly (SittingFigures & { id: number })[] }) {
  const bars = sittings.toReversed().map((each) => {
    const minutes = (Date.parse(each.acted_at) - Date.parse(each.started_at)) / 60_000;
    return { ...each, pace: each.pieces / Math.max(minutes, 1 / 3) };
  });
  const most = Math.max(1, ...bars.map(({ pace }) => pace));
  if (bars.length === 0) {
    return <p className="text-muted">Earlier sittings appear here once there are some.</p>;
  }
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="font-medium text-muted text-xs">
        Pieces per minute of the last {bars.length} sittings
      </figcaption>
      <ol className="flex h-32 items-end gap-1 border-line border-b">
        {bars.map((each) => {
          const text = `${formatDateTime(each.started_at)}: ${each.pace.toFixed(1)} per minute, ${each.adds} adds, ${seconds(each.accept_p50_ms)} from picture to add`;
          return (
            <li key={each.id} className="flex h-full flex-1 items-end" title={text}>
              <span
                style={{ height: `${Math.max(2, (100 * each.pace) / most)}%` }}
                className="block w-full max-w-10 rounded-t-control bg-accent"
              />
              <span className="sr-only">{text}</span>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}
