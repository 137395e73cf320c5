import { clsx } from "clsx";
import { niceTop } from "@/shared/lib/axis";
import { formatCount, formatDate } from "@/shared/lib/format";
import type { Day } from "./model";

const box = { width: 600, height: 150 };
const margin = { left: 46, right: 4, top: 10, bottom: 24 };
// The drawing grows with its card; its words should not.
const axisText =
  "fill-muted text-[11px] max-sm:text-[20px] md:text-[9px] lg:text-[7.5px] xl:text-[6px]";
const looks = {
  added: "fill-accent",
  stowed: "fill-success",
} as const;
const names = { added: "added", stowed: "stowed" } as const;
const kinds = ["added", "stowed"] as const;

/** Pieces that came and were stowed, day by day. */
export function DayChart({ days }: { days: readonly Day[] }) {
  const most = Math.max(0, ...days.flatMap((day) => [day.added, day.stowed]));
  const sum = (kind: "added" | "stowed") => days.reduce((total, day) => total + day[kind], 0);
  if (most === 0 || days.length === 0) {
    return <p className="text-muted text-sm">Nothing came and nothing was stowed in 30 days.</p>;
  }
  const top = niceTop(most);
  const step = box.width / days.length;
  const bar = (step - 3) / 2;
  const y = (amount: number) => box.height - (amount / top) * box.height;
  return (
    <figure className="flex flex-col gap-2">
      <svg
        viewBox={`0 0 ${margin.left + box.width + margin.right} ${margin.top + box.height + margin.bottom}`}
        role="img"
        aria-label={`In ${days.length} days ${formatCount(sum("added"))} pieces were added and ${formatCount(sum("stowed"))} stowed.`}
        className="h-auto w-full"
      >
        <g transform={`translate(${margin.left} ${margin.top})`}>
          {[0, 0.5, 1].map((part) => (
            <g key={part}>
              <line
                x1={0}
                x2={box.width}
                y1={y(top * part)}
                y2={y(top * part)}
                className="stroke-line"
              />
              <text x={-8} y={y(top * part) + 4} textAnchor="end" className={axisText}>
                {formatCount(top * part)}
              </text>
            </g>
          ))}
          {days.map((day, place) => (
            <g key={day.day}>
              <title>{`${formatDate(day.day)}: ${formatCount(day.added)} added, ${formatCount(day.stowed)} stowed`}</title>
              <rect
                x={place * step}
                y={0}
                width={step}
                height={box.height}
                className="fill-transparent"
              />
              {kinds.map((kind, second) => (
                <rect
                  key={kind}
                  x={place * step + 1 + second * (bar + 1)}
                  y={y(day[kind])}
                  width={bar}
                  height={box.height - y(day[kind])}
                  rx={1.5}
                  className={looks[kind]}
                />
              ))}
            </g>
          ))}
          <text y={box.height + 17} className={axisText}>
            {formatDate(days[0]?.day)}
          </text>
          <text x={box.width} y={box.height + 17} textAnchor="end" className={axisText}>
            {formatDate(days.at(-1)?.day)}
          </text>
        </g>
      </svg>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs tabular-nums">
        {kinds.map((kind) => (
          <span key={kind} className="flex items-center gap-1.5">
            <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5">
              <rect width={10} height={10} rx={2} className={clsx(looks[kind])} />
            </svg>
            {formatCount(sum(kind))} {names[kind]}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
