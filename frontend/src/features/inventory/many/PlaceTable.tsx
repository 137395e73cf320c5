import { ClipboardCheck, List } from "lucide-react";
import type { ReactNode } from "react";
import { type Location, locationQueries } from "@/features/locations/public";
import { api } from "@/shared/api/client";
import { counted, formatCount, formatDateTime } from "@/shared/lib/format";
import { storedWeightText } from "@/shared/lib/weight";
import type { Column, RowSource } from "@/shared/table/column";
import { DataTable } from "@/shared/table/DataTable";
import { countColumn } from "@/shared/table/fieldColumns";
import type { TableState } from "@/shared/table/tableState";
import type { MenuEntry } from "@/shared/ui/Menu";

const placeColumns: readonly Column<Location>[] = [
  {
    id: "name",
    header: "Bin",
    width: 220,
    sortBy: "name",
    primary: true,
    hideable: false,
    cell: (place) => place.name,
  },
  countColumn("lot_count", "Rows", {
    id: "lots",
    width: 90,
    brief: (place) => counted(place.lot_count, "row"),
  }),
  countColumn("item_count", "Quantity", {
    id: "pieces",
    width: 110,
    sortBy: "item_count",
    brief: (place) => counted(place.item_count, "piece"),
  }),
  {
    id: "weight",
    header: "Weight",
    width: 110,
    align: "end",
    sortBy: "stored_weight",
    brief: (place) => storedWeightText(place),
    cell: (place) => storedWeightText(place),
  },
  {
    id: "free",
    header: "Takes more",
    width: 110,
    align: "end",
    cell: (place) =>
      place.available_item_count === null ? "–" : formatCount(place.available_item_count),
  },
  {
    id: "description",
    header: "Description",
    width: 260,
    cell: (place) => place.description,
  },
  {
    id: "updatedAt",
    header: "Last change",
    width: 165,
    sortBy: "updatedAt",
    hidden: true,
    cell: (place) => <span className="text-muted">{formatDateTime(place.updatedAt)}</span>,
  },
];

const places: RowSource<Location> = {
  key: locationQueries.lists(),
  fetch: (params, signal) => api.get("inventoryLocations", { query: params, signal }),
};

/** The stock by location: the contents of each, with links to its rows and its stocktake. */
export function PlaceTable(props: {
  table: TableState;
  switcher: ReactNode;
  empty: ReactNode;
  more: readonly MenuEntry[];
  onRows: (place: Location) => void;
  onCount: (place: Location) => void;
}) {
  const { table, switcher, empty, onRows, onCount } = props;
  return (
    <DataTable
      label="Inventory by bin"
      table={table}
      columns={placeColumns}
      source={places}
      searchLabel="Search the bins"
      switcher={switcher}
      empty={empty}
      more={props.more}
      onOpen={onRows}
      rowActions={(place) => [
        { id: "rows", label: "Show its rows", icon: List, run: () => onRows(place) },
        { id: "count", label: "Count it…", icon: ClipboardCheck, run: () => onCount(place) },
      ]}
    />
  );
}
