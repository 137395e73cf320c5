import { useQuery } from "@tanstack/react-query";
import { queryRows } from "@/shared/api/queries";
import { formatCount, formatDateTime, formatNumber } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { LoadProblem } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import { quantile, type SittingFigures, useCounts } from "./stopwatch";

const SITTINGS = 20;

const sittingsQuery = () =>
  queryRows(["stationSittings"], "stationSittings", { query: { page_size: SITTINGS } });

const seconds = (ms: number | null) => (ms === null ? "–" : `${formatNumber(ms / 1000, 1)} s`);
const share = (part: number, all: number) =>
  all === 0 ? "–" : `${Math.round((100 * part) / all)} %`;
const perAdd = (keys: number, adds: number) => (adds === 0 ? "–" : formatNumber(keys / adds, 1));

/** The speed of this session and of earlier ones. */
export function StopwatchDialog({ onClose }: { onClose: () => void }) {
  const counts = useCounts();
  const before = useQuery(sittingsQuery());
  const looked = counts.adds + counts.notFound;
  const figures = [
    ["Picture to add, half of them within", seconds(quantile(counts.acceptMs, 0.5))],
    ["Nine of ten within", seconds(quantile(counts.acceptMs, 0.9))],
    ["Keys per add", perAdd(counts.keys, counts.adds)],
    ["Undone", share(counts.undos, counts.adds)],
    ["Not found", share(counts.notFound, looked)],
  ];
  return (
    <Dialog
      open
      onClose={onClose}
      title="Stopwatch"
      description={`This session: ${formatCount(counts.adds)} adds, ${formatCount(counts.captures)} pictures`}
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
      <LoadProblem query={before} what="Earlier sessions" />
      {!before.error && <Chart sittings={before.data ?? []} />}
    </Dialog>
  );
}

type Sitting = SittingFigures & { id: number };
type Measure = { label: string; of: (each: Sitting) => number | null; unit: string };

const minutesOf = ({ acted_at, started_at }: Sitting) =>
  Math.max((Date.parse(acted_at) - Date.parse(started_at)) / 60_000, 1 / 3);
const ratio = (part: number, all: number) => (all === 0 ? null : part / all);
const percent = (part: number, all: number) => (all === 0 ? null : (100 * part) / all);

const measures: Readonly<Record<string, Measure>> = {
  pace: {
    label: "Pieces per minute",
    of: (each) => each.pieces / minutesOf(each),
    unit: "per minute",
  },
  accept: {
    label: "Picture to add",
    of: ({ accept_p50_ms: ms }) => (ms === null ? null : ms / 1000),
    unit: "s",
  },
  keys: { label: "Keys per add", of: ({ keys, adds }) => ratio(keys, adds), unit: "keys" },
  undos: { label: "Undone", of: ({ undos, adds }) => percent(undos, adds), unit: "%" },
  missed: {
    label: "Not found",
    of: ({ not_found, adds }) => percent(not_found, adds + not_found),
    unit: "%",
  },
};
const measureNames = Object.fromEntries(
  Object.entries(measures).map(([name, { label }]) => [name, label]),
);

/** One measure of the last sessions, the newest at the right. */
function Chart({ sittings }: { sittings: readonly Sitting[] }) {
  const chosen = useControl("pace");
  const measure = measures[chosen.value];
  if (sittings.length === 0 || !measure) {
    return <p className="text-muted">Earlier sessions appear here once there are some.</p>;
  }
  const bars = sittings.toReversed().map((each) => ({ each, figure: measure.of(each) }));
  const most = Math.max(...bars.map(({ figure }) => figure ?? 0)) || 1;
  return (
    <div className="flex flex-col gap-3">
      <span className="max-w-full overflow-x-auto">
        <SegmentedControl label="What is charted" options={measureNames} {...chosen} />
      </span>
      <figure className="flex flex-col gap-1">
        <figcaption className="flex justify-between font-medium text-muted text-xs">
          <span>
            {measure.label}, last {bars.length} {bars.length === 1 ? "session" : "sessions"}
          </span>
          <span className="tabular-nums">
            up to {formatNumber(most, 1)} {measure.unit}
          </span>
        </figcaption>
        <ol className="flex h-32 items-end gap-1 border-line border-b">
          {bars.map(({ each, figure }) => {
            const said = figure === null ? "–" : `${formatNumber(figure, 1)} ${measure.unit}`;
            const text = `${formatDateTime(each.started_at)}: ${said}, ${each.adds} adds`;
            return (
              <li key={each.id} className="flex h-full flex-1 items-end" title={text}>
                <span
                  style={{ height: figure === null ? 0 : `${Math.max(2, (100 * figure) / most)}%` }}
                  className="block w-full max-w-10 rounded-t-control bg-accent"
                />
                <span className="sr-only">{text}</span>
              </li>
            );
          })}
        </ol>
      </figure>
    </div>
  );
}
