import { useInfiniteQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { History } from "lucide-react";
import { Link } from "react-router-dom";
import { formatCount, formatDateTime } from "@/shared/lib/format";
import { movementReasons } from "@/shared/lib/movementReasons";
import { PagedDrawer } from "@/shared/ui/PagedDrawer";
import { EmptyState } from "@/shared/ui/states";
import type { Location, LocationMovement } from "./model";
import { locationQueries } from "./queries";

/** What came into a location and went out of it, newest first. */
export function LocationHistory(props: {
  location: Pick<Location, "id" | "name">;
  onClose: () => void;
}) {
  const { location, onClose } = props;
  const history = useInfiniteQuery(locationQueries.movements(location.id));
  return (
    <PagedDrawer
      onClose={onClose}
      title={`History of ${location.name}`}
      description="What came in and went out, newest first."
      list={history}
      empty={
        <EmptyState icon={History} title="Nothing yet">
          Nothing was ever put into this location.
        </EmptyState>
      }
    >
      {(movements) => (
        <ol className="divide-y divide-line">
          {movements.map((movement) => (
            <Line key={movement.id} movement={movement} />
          ))}
        </ol>
      )}
    </PagedDrawer>
  );
}

function Line({ movement }: { movement: LocationMovement }) {
  const { delta, note, by_name, createdAt, item_id, item_number, part_name, color_name } = movement;
  return (
    <li className="flex items-start gap-3 py-2.5">
      <span
        className={clsx(
          "w-16 shrink-0 text-right font-semibold tabular-nums",
          delta > 0 ? "text-success" : "text-danger",
        )}
      >
        {delta > 0 ? `+${formatCount(delta)}` : `−${formatCount(-delta)}`}
      </span>
      <span className="min-w-0 flex-1">
        <Link to={`/app/inventory?item=${item_id}`} className="block truncate hover:underline">
          <span className="font-mono text-muted text-xs">{item_number}</span> {part_name}
        </Link>
        <span className="block text-sm">
          {wordsOf(movement)}
          {color_name && <span className="text-muted"> · {color_name}</span>}
        </span>
        {note && <span className="block text-sm">“{note}”</span>}
        <span className="block text-muted text-xs">
          {formatDateTime(createdAt)}
          {by_name && ` · ${by_name}`}
        </span>
      </span>
    </li>
  );
}

/** "Moved to B-07", "Moved from A-01", "Counted in a stocktake". */
function wordsOf(movement: LocationMovement): string {
  const { delta, reason, from_location_name: from, to_location_name: to } = movement;
  const other = delta > 0 ? from : to;
  if (other !== null && from !== to) {
    return `${movementReasons[reason]} ${delta > 0 ? "from" : "to"} ${other}`;
  }
  return reason === "move"
    ? `${movementReasons.move} ${delta > 0 ? "from" : "to"} no location`
    : movementReasons[reason];
}
