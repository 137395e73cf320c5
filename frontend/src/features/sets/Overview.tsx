import { Link } from "react-router-dom";
import { counted, formatCount } from "@/shared/lib/format";
import { agedText, unpricedText, valueText } from "@/shared/lib/worth";
import { useSideQuery } from "@/shared/ui/sideQuery";
import type { SetOverview } from "./model";
import { setQueries } from "./queries";
import { Ring } from "./Ring";
import { pieces } from "./rules";

/** How far the open sets are, as rings, and what is missing of all of them. */
export function Overview() {
  const data = useSideQuery(setQueries.overview(), "the sum of your sets");
  // Nothing to show, or the list below says why.
  if (!data || data.sets.length === 0) return null;
  const lacking = data.pieces_required - data.pieces_on_hand;
  return (
    <section
      aria-label="Open sets"
      className="mb-4 flex shrink-0 flex-col gap-3 rounded-card border border-line bg-surface p-3 shadow-card"
    >
      <p className="text-muted text-sm">
        <strong className="font-semibold text-ink">{counted(data.open_sets, "open set")}</strong>
        {`, ${pieces(lacking)} missing`}
        {lacking > 0 &&
          data.cost_of_missing !== null &&
          `: ${valueText(data.cost_of_missing, data.currency)} to buy`}
        {data.lots_without_price > 0 && `, ${unpricedText(data.lots_without_price)}`}
        {data.figuresAt && `, ${agedText(data.figuresAt)}`}
      </p>
      <ul className="flex gap-2 overflow-x-auto pb-1">
        {data.sets.map((set) => (
          <li key={set.id} className="shrink-0">
            <Link
              to={`?set=${set.id}`}
              className="flex w-52 items-center gap-2.5 rounded-control p-1.5 hover:bg-hover"
            >
              <Ring percent={set.percent} />
              <span className="flex min-w-0 flex-col">
                <span title={set.name} className="truncate font-medium text-sm">
                  {set.name}
                </span>
                <span className="truncate text-muted text-xs">{whatLacks(set, data.currency)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function whatLacks(set: SetOverview["sets"][number], currency: string): string {
  if (set.pieces_missing === 0) return "all on hand";
  const cost = set.cost_of_missing === null ? "" : `, ${valueText(set.cost_of_missing, currency)}`;
  return `${formatCount(set.pieces_missing)} missing${cost}`;
}
