import { useTableState } from "@/shared/table/tableState";
import { lazyPart } from "@/shared/ui/lazyPart";
import { Filters } from "./Filters";
import { LotTable } from "./many/LotTable";
import { PlaceTable } from "./many/PlaceTable";
import { Views } from "./Views";
import { NARROWING, type StockViewProps } from "./view";

const StockCharts = lazyPart(() => import("./charts/StockCharts").then((m) => m.StockCharts));

/** The stock otherwise than row by row. */
export function OtherView({
  view,
  ...props
}: StockViewProps & { view: "lots" | "places" | "charts" }) {
  if (view === "lots") return <Lots {...props} />;
  return view === "places" ? <Places {...props} /> : <StockCharts choice={props.choice} />;
}

function Lots({ shown, choice, empty, more, open, setParams }: StockViewProps) {
  const table = useTableState("inventoryLots", {
    filters: [...NARROWING, "condition"],
    ordering: "item_number",
  });
  return (
    <>
      <Views table={table} shown={shown} />
      <LotTable
        table={table}
        shown={shown}
        filters={(all) => <Filters table={table} all={all} />}
        more={more}
        switcher={choice}
        empty={empty}
        onRows={(lot) =>
          lot.lot_id !== null &&
          setParams({
            view: null,
            ordering: null,
            page: null,
            lot: lot.lot_id,
            condition: lot.condition,
          })
        }
        onConsolidate={(lot) =>
          open({
            view: "consolidate",
            rows: { filter: { lot: String(lot.lot_id), condition: lot.condition } },
          })
        }
      />
    </>
  );
}

function Places({ choice, empty, more, setParams }: StockViewProps) {
  const table = useTableState("inventoryPlaces", { ordering: "name" });
  return (
    <PlaceTable
      table={table}
      switcher={choice}
      empty={empty}
      more={more}
      onRows={(place) =>
        setParams({
          view: null,
          ordering: null,
          page: null,
          search: null,
          location: place.id,
        })
      }
      onCount={(place) => setParams({ count: place.id })}
    />
  );
}
