import { X } from "lucide-react";
import { locationQueries } from "@/features/locations/public";
import type { TableState } from "@/shared/table/tableState";
import { Button } from "@/shared/ui/Button";
import { useSideQuery } from "@/shared/ui/sideQuery";

const cross = <X aria-hidden="true" className="size-3.5" />;

/** Shows that the list is limited to one location, lot or batch, and links to all. */
export function NarrowedTo({ table }: { table: TableState }) {
  const { location, lot, batch } = table.filters;
  return (
    <>
      {location && location !== "none" && (
        <OneLocation location={location} onClear={() => table.setFilter("location", null)} />
      )}
      {lot && (
        <Button size="sm" icon={cross} onClick={() => table.setFilter("lot", null)}>
          Of one lot
        </Button>
      )}
      {batch && (
        <Button size="sm" icon={cross} onClick={() => table.setFilter("batch", null)}>
          From one batch
        </Button>
      )}
    </>
  );
}

function OneLocation({ location, onClear }: { location: string; onClear: () => void }) {
  const data = useSideQuery(locationQueries.detail(Number(location)), "the name of the bin");
  const name = data?.name ?? `location ${location}`;
  return (
    <Button size="sm" icon={cross} onClick={onClear} aria-label={`Show all bins, not only ${name}`}>
      In {name}
    </Button>
  );
}
