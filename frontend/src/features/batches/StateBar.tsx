import type { BatchStats, ItemState } from "./model";
import { segmentsOf } from "./rules";

export const fills: Record<ItemState, string> = {
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
