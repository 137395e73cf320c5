import { clsx } from "clsx";
import { useId } from "react";
import { formatCount } from "@/shared/lib/format";
import type { BatchStats, ItemState, StateFilter } from "./model";
import { segmentsOf } from "./rules";

const fills: Record<ItemState, string> = {
  new: "bg-edge",
  stowed: "bg-accent",
  listed: "bg-success",
};

const hasLots = ({ lots }: { lots: number }) => lots > 0;

/** The three states as one thin bar, for lists. */
export function StateBarSmall({ stats }: { stats: BatchStats }) {
  const segments = segmentsOf(stats);
  const words = segments.map(({ label, lots }) => `${lots} ${label.toLowerCase()}`).join(", ");
  return (
    <span className="ml-auto block w-32 max-w-full sm:ml-0" title={words}>
      <span aria-hidden="true" className="flex h-2 gap-px overflow-hidden rounded-full bg-line">
        {segments.filter(hasLots).map(({ state, lots }) => (
          <span key={state} className={fills[state]} style={{ flexGrow: lots }} />
        ))}
      </span>
      <span className="sr-only">{words}</span>
    </span>
  );
}

/** How far a batch is, and the filter of its items: one bar, four choices with their counts. */
export function StateBar(props: {
  stats: BatchStats;
  value: StateFilter;
  onChange: (value: StateFilter) => void;
}) {
  const { stats, value, onChange } = props;
  const name = useId();
  const segments = segmentsOf(stats);
  const choices: { state: StateFilter; label: string; lots: number; items: number }[] = [
    { state: "all", label: "All", lots: stats.total_lots, items: stats.total_items },
    ...segments,
  ];
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Show items</legend>
      <div aria-hidden="true" className="flex h-2.5 gap-0.5 overflow-hidden rounded-full bg-line">
        {segments.filter(hasLots).map(({ state, lots }) => (
          <span
            key={state}
            className={clsx(
              "transition-[flex-grow,opacity] duration-300",
              fills[state],
              value !== "all" && value !== state && "opacity-35",
            )}
            style={{ flexGrow: lots }}
          />
        ))}
      </div>
      <div className="mt-2 grid grid-cols-2 gap-1.5 sm:flex sm:flex-wrap">
        {choices.map(({ state, label, lots, items }) => (
          <label
            key={state}
            className={clsx(
              "flex min-w-0 cursor-pointer items-center gap-2 rounded-control border px-3 py-1.5 has-focus-visible:outline-2 has-focus-visible:outline-accent",
              value === state
                ? "border-accent bg-accent-tint"
                : "border-transparent hover:bg-hover",
            )}
          >
            <input
              type="radio"
              name={name}
              value={state}
              checked={value === state}
              onChange={() => onChange(state)}
              className="sr-only"
            />
            {state !== "all" && (
              <span aria-hidden="true" className={clsx("size-2.5 rounded-full", fills[state])} />
            )}
            <span className="font-medium text-sm">{label}</span>
            <span className="font-semibold text-sm tabular-nums">{formatCount(lots)}</span>
            <span className="hidden text-muted text-xs tabular-nums sm:inline">
              {formatCount(items)} {items === 1 ? "piece" : "pieces"}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
