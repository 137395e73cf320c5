import { useMemo } from "react";
import { type GroupBy, Groups } from "@/shared/table/Groups";
import { useTableState } from "@/shared/table/tableState";
import { Button } from "@/shared/ui/Button";
import { lazyPart } from "@/shared/ui/lazyPart";
import { Filters } from "./Filters";
import { LotTable } from "./many/LotTable";
import { groupsOfRows, inventoryRows } from "./queries";
import { Views } from "./Views";
import { NARROWING, type StockViewProps } from "./view";

const StockCharts = lazyPart(() => import("./charts/StockCharts").then((m) => m.StockCharts));

/** The stock otherwise than row by row. */
export function OtherView({
  view,
  ...props
}: StockViewProps & { view: "lots" | "places" | "colors" | "charts" }) {
  if (view === "lots") return <Lots {...props} />;
  if (view === "charts") return <StockCharts choice={props.choice} />;
  return <Grouped key={view} by={view === "places" ? "location" : "color"} {...props} />;
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

function Grouped({ by, shown, choice, empty, setParams }: StockViewProps & { by: GroupBy }) {
  const table = useTableState("inventoryGroups", { filters: [...NARROWING, "condition"] });
  const [groups, rows] = useMemo(
    () => [groupsOfRows(shown, by), inventoryRows(shown)],
    [shown, by],
  );
  return (
    <>
      <Views table={table} shown={shown} />
      <Groups
        {...{ by, table, groups, rows, empty }}
        label={by === "location" ? "Inventory by bin" : "Inventory by colour"}
        searchLabel="Search the inventory"
        switcher={choice}
        quantityOf={({ quantity }) => quantity}
        binOf={({ location_name }) => location_name}
        onOpen={(row) => setParams({ item: row.id })}
        acts={({ id }) =>
          by === "location" &&
          id !== null && (
            <Button className="self-start" onClick={() => setParams({ count: id })}>
              Count it…
            </Button>
          )
        }
      />
    </>
  );
}
