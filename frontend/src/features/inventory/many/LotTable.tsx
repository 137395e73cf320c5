import { Combine, List } from "lucide-react";
import type { ReactNode } from "react";
import { useCurrency } from "@/features/profile/public";
import { formatCount, formatDateTime, formatMoney } from "@/shared/lib/format";
import { priceText } from "@/shared/lib/worth";
import type { Column } from "@/shared/table/column";
import { DataTable } from "@/shared/table/DataTable";
import { countColumn } from "@/shared/table/fieldColumns";
import { colorColumn, conditionColumn, itemColumn } from "@/shared/table/lotColumns";
import type { TableState } from "@/shared/table/tableState";
import { ColorName, ConditionTag } from "@/shared/ui/Lot";
import type { MenuEntry } from "@/shared/ui/Menu";
import { worthCell } from "@/shared/ui/Price";
import type { LotGroup } from "../model";
import { lotRows, type Shown } from "../queries";

const PLACES_SHOWN = 4;

const prices = ({ price_min, price_max }: LotGroup): string =>
  price_min === price_max
    ? priceText(price_min)
    : `${formatMoney(price_min)} – ${formatMoney(price_max)}`;

const placesText = ({ places }: LotGroup): string =>
  places
    .map(({ location_name, quantity }) => `${location_name ?? "no bin"}: ${quantity}`)
    .join(", ");

function Places({ lot }: { lot: LotGroup }) {
  const hidden = lot.row_count - Math.min(lot.places.length, PLACES_SHOWN);
  return (
    <span className="flex items-center gap-1.5 overflow-hidden" title={placesText(lot)}>
      {lot.places.slice(0, PLACES_SHOWN).map((place) => (
        <span
          key={place.id}
          className="inline-flex shrink-0 items-baseline gap-1 rounded bg-sunken px-1.5 py-0.5 text-xs"
        >
          <span className="font-medium">{place.location_name ?? "no bin"}</span>
          <span className="text-muted tabular-nums">{formatCount(place.quantity)}</span>
        </span>
      ))}
      {hidden > 0 && <span className="shrink-0 text-muted text-xs">+{formatCount(hidden)}</span>}
    </span>
  );
}

const lotColumns: readonly Column<LotGroup>[] = [
  itemColumn({ width: 340 }),
  colorColumn({
    width: 160,
    sortBy: "color_name",
    brief: (lot) => lot.color_name && <ColorName name={lot.color_name} html={lot.color_html} />,
  }),
  conditionColumn({
    width: 100,
    brief: (lot) => <ConditionTag condition={lot.condition} />,
  }),
  countColumn("quantity", "Quantity", {
    width: 100,
    sortBy: "quantity",
    brief: (lot) => `${formatCount(lot.quantity)} ×`,
  }),
  {
    id: "places",
    header: "Where",
    width: 300,
    sortBy: "location_count",
    text: placesText,
    brief: (lot) =>
      `${lot.places[0]?.location_name ?? "no bin"}${lot.row_count > 1 ? ` +${lot.row_count - 1}` : ""}`,
    cell: (lot) => <Places lot={lot} />,
  },
  {
    id: "price",
    header: "Price",
    money: true,
    width: 130,
    align: "end",
    text: prices,
    brief: prices,
    cell: prices,
  },
  {
    id: "value",
    header: "Value",
    money: true,
    width: 110,
    align: "end",
    sortBy: "value",
    cell: (lot) => worthCell(lot),
  },
  countColumn("row_count", "Rows", { id: "rows", width: 80, hidden: true, sortBy: "row_count" }),
  {
    id: "updatedAt",
    header: "Last change",
    width: 165,
    sortBy: "updatedAt",
    hidden: true,
    cell: (lot) => <span className="text-muted">{formatDateTime(lot.updatedAt)}</span>,
  },
];

/** The stock by lot: how much there is of each in each condition, and its places under it. */
export function LotTable(props: {
  table: TableState;
  shown: Shown;
  filters: (all: boolean) => ReactNode;
  more: readonly MenuEntry[];
  switcher: ReactNode;
  empty: ReactNode;
  onRows: (lot: LotGroup) => void;
  onConsolidate: (lot: LotGroup) => void;
}) {
  const { table, shown, empty, onRows, onConsolidate } = props;
  const currency = useCurrency();
  return (
    <DataTable
      label="Inventory by lot"
      table={table}
      columns={lotColumns}
      source={lotRows(shown)}
      getId={(lot) => `${lot.id}${lot.condition}`}
      currency={currency}
      searchLabel="Search the inventory"
      filters={props.filters}
      more={props.more}
      switcher={props.switcher}
      empty={empty}
      onOpen={onRows}
      rowActions={(lot) => [
        {
          id: "rows",
          label: "Show its rows",
          icon: List,
          disabledReason: lot.lot_id === null && "This lot is not in the catalogue",
          run: () => onRows(lot),
        },
        {
          id: "consolidate",
          label: "Consolidate…",
          icon: Combine,
          disabledReason: lot.row_count < 2 && "It is one row",
          run: () => onConsolidate(lot),
        },
      ]}
    />
  );
}
