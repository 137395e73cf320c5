import { useInfiniteQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { Link } from "react-router-dom";
import { movementReasons } from "@/shared/lib/movementReasons";
import { pathTo } from "@/shared/lib/paths";
import { MovementLine } from "@/shared/ui/MovementLine";
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
          Nothing was put in here yet.
        </EmptyState>
      }
    >
      {(movements) => (
        <ol className="divide-y divide-line">
          {movements.map((movement) => (
            <MovementLine key={movement.id} movement={movement}>
              <Link
                to={pathTo("inventory", { item: movement.item_id })}
                className="block truncate hover:underline"
              >
                <span className="font-mono text-muted text-xs">{movement.item_number}</span>{" "}
                {movement.part_name}
              </Link>
              <span className="block text-sm">
                {wordsOf(movement)}
                {movement.color_name && (
                  <span className="text-muted"> · {movement.color_name}</span>
                )}
              </span>
            </MovementLine>
          ))}
        </ol>
      )}
    </PagedDrawer>
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
    ? `${movementReasons.move} ${delta > 0 ? "from" : "to"} no bin`
    : movementReasons[reason];
}
